// Definition files (spec derived-metrics.md §6.2, dialects.md rows 18, 27 to 29): lines are cut
// here, each expression goes through the same stages as one typed at the command line, with its
// offset in the file. All errors are reported, line by line; what parses is given all the same.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "compiler/parse/parse.h"
#include "compiler/parse/stages.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"

namespace pmjit::parse {

// What the two kinds of lines of a definition file share: `name = expression` and
// `name(oneline) = text`.
Span trimmed(std::string_view file, Span span);  // without the blanks at its ends
std::string_view bytes_of(std::string_view file, Span span);

// Reports a name that no metric can have. `line`: all of its line, where that may show what is
// meant.
bool check_name(std::string_view file, Span name, Diags& diags, std::string_view line = {});

// A file, and the same without its joints.
struct FileText {
  std::string_view file, joined;
};
struct AttributeLine {
  Attribute attribute;
  uint32_t end;  // the offset behind it: a quoted text runs over lines
};
// `line` holds the joined line, split is the offset of its first =.
AttributeLine read_attribute(FileText text, Span line, uint32_t split, Diags& diags);

}  // namespace pmjit::parse

namespace pmjit {

namespace parse {

Span joined_line(std::string_view file, uint32_t begin) {
  size_t end = begin;
  for (;;) {
    end = std::min(file.find('\n', end), file.size());
    if (end == file.size()) break;
    size_t last = end;  // behind the last byte that is not CR
    if (last > begin && file[last - 1] == '\r') --last;
    if (last == begin || file[last - 1] != '\\') break;
    ++end;
  }
  return {begin, static_cast<uint32_t>(end)};
}

std::string without_joints(std::string_view file) {
  std::string text(file);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const size_t end = text.compare(i + 1, 1, "\r") == 0 ? i + 2 : i + 1;
    if (text.compare(end, 1, "\n") == 0)
      std::fill(text.begin() + static_cast<ptrdiff_t>(i),
                text.begin() + static_cast<ptrdiff_t>(end) + 1, ' ');
  }
  return text;
}

bool comment_would_join(std::string_view file, Span line) {
  if (line.begin == line.end || file[line.end - 1] != '\\') return false;
  const uint32_t next = line.end + 1;
  if (next >= file.size() || file[next] == '#') return false;
  const std::string text = without_joints(bytes_of(file, joined_line(file, next)));
  return !std::ranges::all_of(text, is_blank);
}

namespace {

// Components of letters, digits and _ that begin with a letter, joined by single dots.
bool is_definition_name(std::string_view name) {
  bool at_start = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (at_start ? !letter : !(letter || digit || c == '_' || c == '.')) return false;
    at_start = c == '.';
  }
  return !name.empty() && !at_start;
}

}  // namespace

Span trimmed(std::string_view file, Span span) {
  while (span.begin < span.end && is_blank(file[span.begin])) ++span.begin;
  while (span.end > span.begin && is_blank(file[span.end - 1])) --span.end;
  return span;
}

std::string_view bytes_of(std::string_view file, Span span) {
  return file.substr(span.begin, span.end - span.begin);
}

bool check_name(std::string_view file, Span name, Diags& diags, std::string_view line) {
  const std::string_view text = bytes_of(file, name);
  if (text.empty()) {
    diags.add(DiagCode::P_ConfigLine, name, "the metric's name is missing")
        .help("write name = expression");
    return false;
  }
  if (is_definition_name(text)) return true;
  std::string meant = line_meant(line);
  if (meant.empty()) {
    meant =
        "a name is words of letters, digits and _ that begin with a letter, with a dot between two";
  }
  diags.add(DiagCode::P_ConfigLine, name, "this is not a metric name").help(std::move(meant));
  return false;
}

namespace {

class FileReader {
 public:
  FileReader(std::string_view file, Diags& diags)
      : file_(file), joined_(without_joints(file)), diags_(diags) {}

  DefinitionFile read() {
    for (uint32_t at = 0; result_.whole && at < file_.size();) {
      Diags found;
      const FileLine line{.kind = file_[at] == '#' ? LineKind::comment : LineKind::blank,
                          .span = {at, at}};
      const size_t definitions = result_.definitions.size();
      const size_t attributes = result_.attributes.size();
      at = read_line(at, found);
      add_line(line, at, found, {definitions, attributes});
      result_.whole = add_bounded(found, diags_);
    }
    return std::move(result_);
  }

 private:
  struct Counts {
    size_t definitions, attributes;
  };

  void add_line(FileLine line, uint32_t behind, const Diags& found, Counts before) {
    const bool newline = file_[std::min<size_t>(behind, file_.size()) - 1] == '\n';
    line.span.end = std::min(behind, static_cast<uint32_t>(file_.size())) - (newline ? 1 : 0);
    if (found.has_errors()) {
      line.kind = LineKind::refused;
    } else if (result_.definitions.size() > before.definitions) {
      line.kind = LineKind::definition;
      line.index = before.definitions;
    } else if (result_.attributes.size() > before.attributes) {
      line.kind = LineKind::attribute;
      line.index = before.attributes;
    }
    result_.lines.push_back(line);
  }

  // Reads one (joined) line and gives the offset behind it.
  uint32_t read_line(uint32_t begin, Diags& found) {
    if (file_[begin] == '#') return read_comment(begin, found);
    const Span line = joined_line(file_, begin);
    const Span inner = trimmed(joined_, line);
    if (inner.begin == inner.end) return line.end + 1;
    const size_t equals = bytes_of(joined_, line).find('=');
    if (equals == std::string_view::npos) {
      std::string meant = line_meant(bytes_of(joined_, inner));
      if (meant.empty())
        meant = "write name = expression; a comment begins with # in the first column";
      found.add(DiagCode::P_ConfigLine, inner, "no = in this line").help(std::move(meant));
      return line.end + 1;
    }
    const auto split = begin + static_cast<uint32_t>(equals);
    if (bytes_of(joined_, {begin, split}).find_first_of("()") != std::string_view::npos) {
      const AttributeLine attribute =
          read_attribute({.file = file_, .joined = joined_}, line, split, found);
      if (!found.has_errors()) add_attribute(attribute.attribute, found);
      return attribute.end;
    }
    read_definition(line, split, found);
    return line.end + 1;
  }

  // A comment ends with its line, as in 6.x; where that would drop a line in 7.x, it is refused.
  uint32_t read_comment(uint32_t begin, Diags& found) {
    const auto end = static_cast<uint32_t>(std::min(file_.find('\n', begin), file_.size()));
    if (comment_would_join(file_, {begin, end})) {
      found.add(DiagCode::D_Continuation, {end - 1, end})
          .help("remove the \\, or write a blank behind it");
    }
    return end + 1;
  }

  void read_definition(Span line, uint32_t split, Diags& found) {
    const Span name = trimmed(joined_, {line.begin, split});
    if (!check_name(joined_, name, found, bytes_of(joined_, trimmed(joined_, line)))) return;
    const std::string name_text(bytes_of(joined_, name));
    defined_.insert(name_text);
    const Span expr = trimmed(joined_, {split + 1, line.end});
    if (expr.begin == expr.end) {
      found.add(DiagCode::P_ConfigLine, {split, split + 1}, "no expression after this =")
          .help("write name = expression");
      result_.definitions.push_back({name_text, name, expr, std::nullopt});
      return;
    }
    result_.definitions.push_back(
        {name_text, name, expr,
         parse_part({bytes_of(joined_, expr), expr.begin}, Parameters::refused, found)});
  }

  void add_attribute(const Attribute& attribute, Diags& found) {
    if (!defined_.contains(attribute.metric)) {
      found
          .add(DiagCode::P_ConfigLine, attribute.span,
               fmt::format("{} is not defined above", attribute.metric))
          .help("attributes follow the definition of their metric");
    } else if (!attributed_.insert(attribute.metric + '(' + attribute.key).second) {
      found
          .add(DiagCode::P_ConfigLine, attribute.span,
               fmt::format("{} of {} is given twice", attribute.key, attribute.metric))
          .help("remove one of them");
    } else {
      result_.attributes.push_back(attribute);
    }
  }

  std::string_view file_;
  std::string joined_;  // the file without its joints
  Diags& diags_;
  DefinitionFile result_;
  std::set<std::string> defined_, attributed_;  // names, and names with keys
};

}  // namespace
}  // namespace parse

DefinitionFile parse_definitions(const SourceText& source, Diags& diags) {
  if (source.text.size() > limits::kSourceBytesMax) {
    diags.add(DiagCode::P_TooLong, {0, 0}, fmt::to_string(limits::kSourceBytesMax))
        .help("split the file; a directory of definition files is read as one");
    return DefinitionFile{.definitions = {}, .attributes = {}, .lines = {}, .whole = false};
  }
  return parse::FileReader(source.text, diags).read();
}

}  // namespace pmjit

namespace pmjit::parse {

// Attribute lines (spec derived-metrics.md §6.3): name(oneline) = text. An unquoted text is the
// rest of the line; a quoted one ends at its own quote, maybe lines later, with \x for x and
// \ newline for nothing.
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
    return report(diags, {at, at + 1}, "this ) has no (", form);
  }
  const auto open_at = head.begin + static_cast<uint32_t>(open);
  if (close == text.npos || close < open)
    return report(diags, {open_at, open_at + 1}, "this ( has no )", form);
  const Span name = trimmed(file, {head.begin, open_at});
  if (!check_name(file, name, diags)) return;
  const Span key = trimmed(file, {open_at + 1, head.begin + static_cast<uint32_t>(close)});
  const Span rest = trimmed(file, {head.begin + static_cast<uint32_t>(close) + 1, head.end});
  if (rest.begin != rest.end) return report(diags, rest, "this is between ) and =", form);
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
    report(diags, {split, split + 1}, "no text after this =", "for an empty text write \"\"");
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
    report(diags, extra, "this follows the text's closing quote",
           "remove it, or quote all of the text");
  return result;
}

}  // namespace pmjit::parse
