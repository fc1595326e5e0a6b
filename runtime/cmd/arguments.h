// Arguments: a command line taken apart as GNU getopt_long does: options and operands in any order,
// letters joined (-lxx), arguments joined or apart (-Sfoo, -S foo, --start=foo, --start foo),
// unique beginnings of long names, `--` before operands that look like options. With
// POSIXLY_CORRECT in the environment the first operand ends the options.
//
//   Arguments arguments(table, argc, argv);
//   while (auto found = arguments.next()) …      a row and its argument, or a message
//   arguments.operands()
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// OptionTable: the options of one tool under its PCP name, in the order of its usage text. From it
// come the parser, the messages and the usage text.
//
//   constexpr OptionRow kRows[] = {
//       section("Options"),
//       own('d', "descs", "", "dump metric descriptions"),
//       standard(Standard::start),
//       without_letter(Standard::version),
//   };
//   constexpr OptionTable kTable{.usage = "[options] [archive]", .rows = kRows};
enum class Standard : uint8_t {
  none,  // the tool's own
#define STANDARD(name, letter, long_name, argument, help) name,
#include "runtime/cmd/standard_options.def"
#undef STANDARD
};

struct OptionRow {
  char letter = 0;                 // 0: only a long name
  std::string_view name = {};      // empty: only a letter
  std::string_view argument = {};  // what the usage text calls it; empty: takes none
  std::string_view help = {};      // empty: not in the usage text
  Standard standard = Standard::none;
  bool letter_works = true;  // false: the usage text has the letter, the parser has not
  bool is_section = false;   // `help` is a heading of the usage text
};

constexpr OptionRow section(std::string_view title) { return {.help = title, .is_section = true}; }

constexpr OptionRow own(char letter, std::string_view name, std::string_view argument,
                        std::string_view help) {
  return {.letter = letter, .name = name, .argument = argument, .help = help};
}

constexpr OptionRow standard(Standard which) {
  switch (which) {
    case Standard::none: break;
#define STANDARD(id, letter, name, argument, help) \
  case Standard::id: return {letter, name, argument, help, Standard::id};
#include "runtime/cmd/standard_options.def"
#undef STANDARD
  }
  return {};
}

// The tool uses the letter otherwise, or not at all; the usage text shows `letter` all the same.
constexpr OptionRow without_letter(Standard which) {
  OptionRow row = standard(which);
  row.letter_works = false;
  return row;
}

struct OptionTable {
  std::string_view usage;  // what follows the program's name in the usage text
  std::span<const OptionRow> rows;
  bool archive_operand = false;     // the first operand is the archive, unless one was named before
  bool several_hosts = false;       // -h may be given more than once
  bool hosts_and_archives = false;  // both at once
  bool operands_end_options = false;  // the first operand does
};

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

// The variables that give standard options, and the check of debug flags.

// The option that an environment variable stands for ("PCP_START_TIME": start).
[[nodiscard]] std::optional<Standard> option_of_variable(std::string_view name);

// What -D and PCP_DEBUG take: names with commas between them, or a number of old.
[[nodiscard]] bool is_debug_spec(std::string_view spec);

}  // namespace pmjit
