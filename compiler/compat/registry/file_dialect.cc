#include "compiler/compat/registry/file_dialect.h"

#include "compiler/ast/dialect.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

void explain_unknown(const Pragma& line, Diag& diag) {
  if (line.broken) {
    diag.message = "this looks like a pragma, and is none";
  } else if (line.name == "pmie") {
    diag.message = "pmie is a dialect of rules, and this is a file of definitions";
    diag.help("leave the line out: without one, definitions are read as PCP reads them");
  } else if (line.name.empty()) {
    diag.message = "this line names no dialect";
  } else {
    diag.message = "there is no dialect " + std::string(line.name);
    const std::string near = near_names_text(near_names(line.name, {"pcp6", "pcp7", "strict"}));
    if (!near.empty()) diag.label(line.span, near);
  }
}

}  // namespace

Dialect dialect_of(const SourceText& file, DialectChoice choice, Diags& diags) {
  const std::optional<Dialect> option = choice.said;
  if (choice.for_all && option) return *option;
  std::optional<Dialect> said;
  for (const Pragma& line : pragmas_of(file.text, {.mark = "#"})) {
    const auto pragma = dialect_from_text(line.name);
    std::string_view wrong;
    if (!pragma) wrong = "wrong";
    if (pragma && line.late) wrong = "late";
    if (pragma && said) wrong = "repeated";
    if (pragma && option && *pragma != *option) wrong = "contradicted by --dialect";
    if (const std::string meant = meant_pragma(line); !pragma && !meant.empty()) {
      Diag& diag = diags.add(DiagCode::D_Pragma, line.span, wrong);
      diag.message = "pmjit knows no comment `" + std::string(line.word) + "`";
      diag.help(meant);
      continue;
    }
    if (!wrong.empty()) {
      Diag& diag = diags.add(DiagCode::D_Pragma, line.span, wrong);
      if (!pragma) explain_unknown(line, diag);
      if (diag.helps.empty()) {
        diag.help("one line `#pmjit: dialect=strict` before the first definition");
      }
    }
    said = pragma;
  }
  if (said) return *said;
  return option.value_or(choice.otherwise);
}

}  // namespace pmjit
