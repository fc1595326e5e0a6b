// Actions over archives: none has its effect, each is printed with its time; hold-offs count.
// Source: spec rules-language.md §12.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "rules/pmie/bindings.h"

namespace pmjit::pmie {

class PrintedActions {
 public:
  // `put` gets a line with its line feed.
  PrintedActions(const RuleProgram& program, std::function<void(std::string_view)> put)
      : program_(program), put_(std::move(put)) {}

  // `when`: scheduled, seconds; `ctime`: as it prints. None: held off.
  [[nodiscard]] std::optional<bool> perform(uint32_t action, uint32_t rule,
                                            const Expansion& expansion, double when,
                                            std::string_view ctime);

 private:
  const RuleProgram& program_;
  std::function<void(std::string_view)> put_;
  std::unordered_map<uint32_t, double> last_;  // when an action was done
};

}  // namespace pmjit::pmie
