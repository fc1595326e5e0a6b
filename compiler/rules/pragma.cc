#include "compiler/rules/rule_file.h"

namespace pmjit::strict {

namespace {

constexpr std::string_view kMark = "pmjit:";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "dialect = NAME" → NAME; else nothing.
std::string_view read_pragma(std::string_view text) {
  if (!text.starts_with("dialect")) return {};
  text = trim(text.substr(7));
  return text.starts_with("=") ? trim(text.substr(1)) : std::string_view();
}

}  // namespace

bool says_strict(const SourceText& source, Diags& diags) {
  bool strict = false, said = false, began = false;
  const std::string_view text = source.text;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    const Span span{static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
    at = end + 1;
    if (!line.starts_with("//")) {
      began = began || !line.empty();
      continue;
    }
    const std::string_view comment = trim(line.substr(2));
    if (!comment.starts_with(kMark)) continue;
    const std::string_view name = read_pragma(trim(comment.substr(kMark.size())));
    std::string_view wrong;
    if (name != "strict" && name != "pmie") wrong = "wrong";
    if (wrong.empty() && began) wrong = "late";
    if (wrong.empty() && said) wrong = "repeated";
    if (!wrong.empty()) {
      diags.add(DiagCode::D_Pragma, span, wrong)
          .help("one line `// pmjit: dialect=strict` (or pmie) before the first statement");
    }
    said = true;
    strict = strict || name == "strict";
  }
  return strict;
}

}  // namespace pmjit::strict
