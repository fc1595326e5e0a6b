#include "compiler/derive/file_dialect.h"

namespace pmjit {

namespace {

constexpr std::string_view kMark = "pmjit:";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "dialect = NAME" → NAME.
std::optional<Dialect> read_pragma(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("dialect")) return std::nullopt;
  text = trim(text.substr(7));
  if (!text.starts_with("=")) return std::nullopt;
  text = trim(text.substr(1));
  return dialect_from_text(text);
}

}  // namespace

Dialect dialect_of(const SourceText& file, DialectChoice choice, Diags& diags) {
  const std::optional<Dialect> option = choice.said;
  if (choice.for_all && option) return *option;
  std::optional<Dialect> said;
  bool definitions_began = false;
  const std::string_view text = file.text;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const Span span{static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
    at = end + 1;
    if (!line.starts_with("#")) {
      definitions_began = definitions_began || !trim(line).empty();
      continue;
    }
    const std::string_view comment = trim(line.substr(1));
    if (!comment.starts_with(kMark)) continue;
    const auto pragma = read_pragma(comment.substr(kMark.size()));
    std::string_view wrong;
    if (!pragma) wrong = "wrong";
    if (pragma && definitions_began) wrong = "late";
    if (pragma && said) wrong = "repeated";
    if (pragma && option && *pragma != *option) wrong = "contradicted by --dialect";
    if (!wrong.empty()) {
      diags.add(DiagCode::D_Pragma, span, wrong)
          .help("one line `#pmjit: dialect=strict` before the first definition");
    }
    said = pragma;
  }
  if (said) return *said;
  return option.value_or(choice.otherwise);
}

}  // namespace pmjit
