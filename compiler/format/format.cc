// Completed text → lines → layout, and the checks of the promise.

#include "compiler/format/format.h"

#include <fmt/format.h>

#include "compiler/format/lines.h"
#include "compiler/parse/parse.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace format {
namespace {

std::vector<Line> read_lines(const SourceText& file, bool completed, Dialect dialect,
                             Diags& diags) {
  return dialect == Dialect::strict ? read_strict_lines(file, diags)
                                    : read_pcp_lines(file.text, completed, dialect, diags);
}

bool last_line_counts(const std::vector<Line>& lines) {
  if (lines.empty()) return false;
  const LineKind kind = lines.back().kind;
  return kind == LineKind::definition || kind == LineKind::attribute;
}

}  // namespace

}  // namespace format

Formatted format_definitions(const SourceText& file, Dialect dialect, Diags& diags) {
  const bool had_newline = file.text.empty() || file.text.ends_with('\n');
  SourceText whole = file;
  if (!had_newline) whole.text += '\n';
  const auto too_long = [&] {
    diags.add(DiagCode::P_TooLong, {0, 0}, fmt::to_string(limits::kSourceBytesMax))
        .help("split the file; a directory of definition files is read as one");
    return Formatted{.text = file.text};
  };
  if (whole.text.size() > limits::kSourceBytesMax) return too_long();
  const std::vector<format::Line> lines = format::read_lines(whole, !had_newline, dialect, diags);
  const SourceText written{.name = file.name, .text = format::lay_out(lines, dialect)};
  if (written.text.size() > limits::kSourceBytesMax) return too_long();
  Diags told_again;
  const std::vector<format::Line> again = format::read_lines(written, false, dialect, told_again);
  check(format::same_meaning(lines, again), "formatting has changed a meaning");
  check(format::lay_out(again, dialect) == written.text, "formatting twice is not formatting once");
  // The newline behind a \ of pcp7 ends no line.
  const bool ended = had_newline && !(dialect == Dialect::pcp7 && whole.text.ends_with("\\\n"));
  return {
      .text = written.text,
      .last_line_revived = dialect != Dialect::strict && !ended && format::last_line_counts(lines)};
}

}  // namespace pmjit

namespace pmjit::format {

// The lines of a file in the strict dialect, as compiler/parse reads them.
namespace {

// As it is written behind the =. A text without quotes is one line: a joint in it is blanks.
std::string written_value(std::string_view file, const Attribute& attribute) {
  const std::string_view whole =
      file.substr(attribute.span.begin, attribute.span.end - attribute.span.begin);
  const size_t begin =
      parse::without_joints(whole).find_first_not_of(" \t\n\v\f\r", whole.find('=') + 1);
  if (whole[begin] == '"' || whole[begin] == '\'')
    return quoted_with_plain_newlines(whole.substr(begin), Dialect::strict);
  // No joint came to stand at the end, and none shall.
  return attribute.value.ends_with('\\') ? attribute.value + ' ' : attribute.value;
}

}  // namespace

std::vector<Line> read_strict_lines(const SourceText& file, Diags& diags) {
  DefinitionFile read = parse_definitions(file, diags);
  const auto text = std::make_shared<const std::string>(parse::without_joints(file.text));
  const std::string_view bytes = file.text;
  std::vector<Line> out;
  size_t behind = 0;
  for (const FileLine& line : read.lines) {
    Line& added = out.emplace_back(
        Line{.kind = line.kind,
             .bytes = bytes.substr(line.span.begin, line.span.end - line.span.begin)});
    behind = line.span.end + 1;
    if (line.kind == LineKind::definition) {
      Definition& definition = read.definitions[line.index];
      added.name = std::move(definition.name);
      added.ast = std::move(*definition.ast);
      added.text = text;
    }
    if (line.kind == LineKind::attribute) {
      const Attribute& attribute = read.attributes[line.index];
      added.name = attribute.metric;
      added.key = attribute.key;
      added.value = with_plain_newlines(attribute.value);
      added.written = written_value(bytes, attribute);
    }
  }
  // More errors than are shown: the rest was not read.
  if (behind < bytes.size()) {
    out.push_back(
        {.kind = LineKind::refused, .bytes = bytes.substr(behind, bytes.size() - behind - 1)});
  }
  return out;
}

}  // namespace pmjit::format
