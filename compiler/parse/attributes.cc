// Attribute lines (spec derived-metrics.md §6.3): name(oneline) = text. An unquoted text is the
// rest of the line; a quoted one ends at its own quote, maybe lines later, with \x for x and
// \ newline for nothing.
#include <fmt/format.h>

#include "compiler/diag/near.h"
#include "compiler/parse/file.h"
#include "compiler/parse/lines.h"

namespace pmjit::parse {
namespace {

void report(Diags& diags, Span span, std::string_view what, std::string help) {
  diags.add(DiagCode::P_ConfigLine, span, what).help(std::move(help));
}

// The part before the =, in the file without its joints.
void read_head(std::string_view file, Span head, Attribute& attribute, Diags& diags) {
  const std::string_view text = bytes_of(file, head);
  const size_t open = text.find('('), close = text.find(')');
  const std::string form = "write name(oneline) = text, or name(helptext) = text";
  if (open == text.npos) {
    const auto at = head.begin + static_cast<uint32_t>(close);
    return report(diags, {at, at + 1}, "there is no ( to this )", form);
  }
  const auto open_at = head.begin + static_cast<uint32_t>(open);
  if (close == text.npos || close < open)
    return report(diags, {open_at, open_at + 1}, "there is no ) to this (", form);
  const Span name = trimmed(file, {head.begin, open_at});
  if (!check_name(file, name, diags)) return;
  const Span key = trimmed(file, {open_at + 1, head.begin + static_cast<uint32_t>(close)});
  const Span rest = trimmed(file, {head.begin + static_cast<uint32_t>(close) + 1, head.end});
  if (rest.begin != rest.end) return report(diags, rest, "this stands between ) and =", form);
  attribute = {std::string(bytes_of(file, name)),
               std::string(bytes_of(file, key)),
               "",
               {name.begin, head.end}};
  if (key.begin == key.end) return report(diags, key, "the attribute's name is missing", form);
  if (attribute.key == "oneline" || attribute.key == "helptext") return;
  const auto near = near_names(attribute.key, {"oneline", "helptext"});
  report(diags, key, "there is no such attribute", near.empty() ? form : near_names_text(near));
}

// `at`: behind the opening quote. Gives the offset of the closing one, or the end of the file.
uint32_t read_quoted(std::string_view file, uint32_t at, char quote, std::string& value) {
  for (; at < file.size() && file[at] != quote; ++at) {
    if (file[at] != '\\' || at + 1 == file.size()) {
      value += file[at];
      continue;
    }
    ++at;
    if (file[at] == '\r' && file.substr(at + 1, 1) == "\n") ++at;
    if (file[at] != '\n') value += file[at];
  }
  return at;
}

}  // namespace

AttributeLine read_attribute(FileText text, Span line, uint32_t split, Diags& diags) {
  const auto [file, joined] = text;
  AttributeLine result{{}, line.end + 1};
  read_head(joined, {line.begin, split}, result.attribute, diags);
  const Span value = trimmed(joined, {split + 1, line.end});
  if (value.begin == value.end) {
    report(diags, {split, split + 1}, "no text behind this =", "for an empty text write \"\"");
    return result;
  }
  result.attribute.span.end = value.end;
  const char quote = file[value.begin];
  if (quote != '"' && quote != '\'') {
    result.attribute.value = bytes_of(joined, value);
    return result;
  }
  const uint32_t close = read_quoted(file, value.begin + 1, quote, result.attribute.value);
  if (close >= file.size()) {
    diags.add(DiagCode::P_Unterminated, {value.begin, value.begin + 1}, "text of an attribute")
        .help("it ends with the quote that it begins with");
    return {result.attribute, static_cast<uint32_t>(file.size())};
  }
  result.attribute.span.end = close + 1;
  const Span last = joined_line(file, close + 1);
  result.end = last.end + 1;
  const Span extra = trimmed(file, last);
  if (extra.begin != extra.end)
    report(diags, extra, "this stands behind the text's closing quote",
           "remove it, or quote all of the text");
  return result;
}

}  // namespace pmjit::parse
