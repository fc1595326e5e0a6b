#include "compiler/ast/pragma.h"

#include "compiler/strict_rules/rule_file.h"

namespace pmjit::strict {

bool says_strict(const SourceText& source, Diags& diags) {
  return dialect_said(source, diags) == "strict";
}

std::optional<std::string> dialect_said(const SourceText& source, Diags& diags) {
  std::optional<std::string> said;
  for (const Pragma& pragma : pragmas_of(source.text, {.mark = "//", .indented = true})) {
    std::string_view wrong;
    if (pragma.name != "strict" && pragma.name != "pmie") wrong = "wrong";
    if (wrong.empty() && pragma.late) wrong = "late";
    if (wrong.empty() && said) wrong = "repeated";
    if (!wrong.empty()) {
      diags.add(DiagCode::D_Pragma, pragma.span, wrong)
          .help("one line `// pmjit: dialect=strict` (or pmie) before the first statement");
    }
    if (said != "strict") said = pragma.name;
  }
  return said;
}

}  // namespace pmjit::strict
