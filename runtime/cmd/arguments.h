// Arguments: a command line taken apart as GNU getopt_long does: options and operands in any order,
// letters joined (-lxx), arguments joined or apart (-Sfoo, -S foo, --start=foo, --start foo),
// unique beginnings of long names, `--` before operands that look like options. With
// POSIXLY_CORRECT in the environment the first operand ends the options.
//
//   Arguments arguments(table, argc, argv);
//   while (auto found = arguments.next()) …      a row and its argument, or a message
//   arguments.operands()
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/cmd/option_table.h"

namespace pmjit {

class Arguments {
 public:
  struct Found {
    const OptionRow* row = nullptr;  // null: a mistake
    std::string argument{};
    std::string mistake{};  // getopt's words, without the program's name
  };

  Arguments(const OptionTable& table, int argc, const char* const* argv);

  [[nodiscard]] std::optional<Found> next();
  // Everything that is no option, in order; whole once next() has returned nothing.
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

 private:
  Found long_option(std::string_view text);
  Found letter();
  std::vector<const OptionRow*> candidates(std::string_view name) const;

  const OptionTable& table_;
  std::vector<std::string_view> words_;
  size_t word_ = 0;           // the next one
  std::string_view letters_;  // what is left of joined letters
  std::vector<std::string> operands_;
  bool operands_end_options_;
};

}  // namespace pmjit
