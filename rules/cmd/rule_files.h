// Where rule files are. Source: spec rules-language.md §18.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace pmjit::pmie {

struct RuleFile {
  std::string name;  // as messages call it; empty: standard input
  std::string text;
  bool strict = false;  // it says that it is in the strict dialect
};

[[nodiscard]] std::string rule_folder();

// Empty: standard input. As given, or else in $PCP_VAR_DIR/config/pmie. A failure's text is what
// the program prints.
[[nodiscard]] Result<RuleFile> find_rule_file(const std::string& file, const std::string& program);

}  // namespace pmjit::pmie
