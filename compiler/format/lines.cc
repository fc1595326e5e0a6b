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

}  // namespace pmjit::format
