// What all dialects have of lines: how they are compared, and their ends.

#include "compiler/format/lines.h"

#include <algorithm>

namespace pmjit::format {

namespace {

// How many CR stand at `at` before a newline; none if there is no newline behind them.
size_t returns_at(std::string_view text, size_t at) {
  const size_t behind = std::min(text.find_first_not_of('\r', at), text.size());
  return behind < text.size() && text[behind] == '\n' ? behind - at : 0;
}

bool same_line(const Line& a, const Line& b) {
  if (a.kind != b.kind || a.name != b.name || a.key != b.key || a.value != b.value) return false;
  if (a.kind == LineKind::refused) return a.bytes == b.bytes;
  return a.kind != LineKind::definition || same_tree(a.ast, b.ast);
}

// Lines of a definition file in the layout.

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

bool same_meaning(const std::vector<Line>& a, const std::vector<Line>& b) {
  const auto said = [](const Line& line) {
    return line.kind != LineKind::blank && line.kind != LineKind::comment;
  };
  auto x = a.begin(), y = b.begin();
  for (;; ++x, ++y) {
    x = std::find_if(x, a.end(), said);
    y = std::find_if(y, b.end(), said);
    if (x == a.end() || y == b.end()) return x == a.end() && y == b.end();
    if (!same_line(*x, *y)) return false;
  }
}

std::string with_plain_newlines(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    i += returns_at(text, i);
    out += text[i];
  }
  return out;
}

std::string quoted_with_plain_newlines(std::string_view quoted, Dialect dialect) {
  std::string out;
  // To libpcp a quote with a newline behind it, maybe behind joints, opens nothing.
  bool opening = dialect != Dialect::strict;
  for (size_t i = 0; i < quoted.size(); ++i) {
    const bool escape = quoted[i] == '\\' && i + 1 < quoted.size();
    const size_t returns = returns_at(quoted, i + (escape ? 1 : 0));
    const size_t newline = i + returns + (escape ? 1 : 0);
    const bool joint = dialect == Dialect::strict && returns == 1;
    if (escape && (returns == 0 || joint)) out += quoted[i];
    if (opening && returns > 0) out += quoted.substr(i, newline - i);
    i = newline;
    out += quoted[i];
    opening = opening && (i == 0 || (escape && returns == 0 && quoted[i] == '\n'));
  }
  return out;
}

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
