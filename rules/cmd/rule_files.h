// Where rule files are. Source: spec rules-language.md §18.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace pmjit::pmie {

struct RuleFileText {
  std::string name;  // as messages call it; empty: standard input
  std::string text;
  bool strict = false;  // it says that it is in the strict dialect
  bool folder = false;  // it is none; to pmie as one without rules
};

[[nodiscard]] std::string rule_folder();

// Empty: standard input. As given, or else in $PCP_VAR_DIR/config/pmie. What a failure is is as
// pmie says it, behind its name; of Fault::usage it is diagnostics, whole lines.
[[nodiscard]] Result<RuleFileText> find_rule_file(const std::string& file);

}  // namespace pmjit::pmie
