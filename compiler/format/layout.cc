// Lines of a definition file in the layout.
#include "compiler/format/layout.h"

#include <algorithm>

namespace pmjit::format {
namespace {

// A \ that would come to stand before the newline would join the next line in some dialects.
std::string comment(std::string_view bytes) {
  std::string out = with_plain_newlines(bytes);
  const size_t size = out.size();
  out.erase(out.find_last_not_of(" \t\r") + 1);
  if (out.size() < size && out.ends_with('\\')) out += ' ';
  return out;
}

std::string definition(const Line& line, Dialect dialect) {
  const std::string head = line.name + " = ";
  std::string whole = head + write_expression(line.ast, *line.text, false);
  const bool was_broken = line.bytes.find('\n') != line.bytes.npos;
  if (!was_broken || dialect == Dialect::pcp6 || columns(whole) <= kColumns) return whole;
  std::string out;
  for (const char c : head + write_expression(line.ast, *line.text, true)) {
    if (c == '\n')
      out += " \\\n    ";
    else
      out += c;
  }
  return out;
}

std::string attribute(const Line& line) {
  std::string out = line.name + '(' + line.key + ')';
  if (!line.before_equals.empty()) (out += ' ') += line.before_equals;
  (out += " = ") += line.written;
  if (!line.behind_value.empty()) (out += ' ') += line.behind_value;
  return out;
}

}  // namespace

size_t columns(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string lay_out(const std::vector<Line>& lines, Dialect dialect) {
  std::string out;
  bool gap = false;
  for (const Line& line : lines) {
    if (line.kind == LineKind::blank) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += '\n';
    gap = false;
    switch (line.kind) {
      case LineKind::blank: break;
      case LineKind::comment: out += comment(line.bytes); break;
      case LineKind::definition: out += definition(line, dialect); break;
      case LineKind::attribute: out += attribute(line); break;
      case LineKind::refused: out += line.bytes; break;
    }
    out += '\n';
  }
  return out;
}

}  // namespace pmjit::format
