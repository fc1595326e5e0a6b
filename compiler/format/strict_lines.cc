// The lines of a file in the strict dialect, as compiler/parse reads them.
#include "compiler/format/lines.h"
#include "compiler/parse/lines.h"

namespace pmjit::format {
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
