// Actions over archives: none has its effect; hold-offs count. Source: spec rules-language.md §12.
#pragma once

#include <string>
#include <unordered_map>

#include "rules/compat/bindings.h"

namespace pmjit::pmie {

class Actions {
 public:
  explicit Actions(const RuleProgram& program) : program_(program) {}

  // Its text. `when`: scheduled, seconds. None: it is held off.
  [[nodiscard]] std::optional<std::string> perform(uint32_t action, uint32_t rule,
                                                   const Expansion& expansion, double when);

 private:
  const RuleProgram& program_;
  std::unordered_map<uint32_t, double> last_;  // when an action was done
};

}  // namespace pmjit::pmie
