#include "rules/why/values_above.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

constexpr size_t kBetweenMax = 3;  // lines without a value that are shown between two with one
constexpr size_t kApart = 2;       // columns between two values

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct SourceLine {
  size_t begin, end;
};

SourceLine line_at(std::string_view source, size_t at) {
  const size_t before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  return {.begin = before == std::string_view::npos ? 0 : before + 1,
          .end = std::min(source.find('\n', at), source.size())};
}

// A blank takes one column, whichever it is.
std::string shown(std::string_view source, size_t begin, size_t end) {
  std::string out(source.substr(begin, end - begin));
  std::ranges::replace_if(out, is_blank, ' ');
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

size_t column_of(std::string_view source, SourceLine line, size_t at) {
  std::string before(source.substr(line.begin, at - line.begin));
  std::ranges::replace_if(before, is_blank, ' ');
  return display_width(before);
}

// The lowest first.
class RowsAbove {
 public:
  void add(size_t column, const std::string& value) {
    const auto fits = [&](const std::string& row) {
      return row.empty() || display_width(row) + kApart <= column;
    };
    auto row = std::ranges::find_if(rows_, fits);
    if (row == rows_.end()) row = rows_.insert(rows_.end(), std::string());
    row->append(column - display_width(*row), ' ').append(value);
  }
  void put(std::string& out) const {
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) out += "    " + *row + "\n";
  }

 private:
  std::vector<std::string> rows_;
};

// Between two lines with values.
void put_between(std::string& out, std::string_view source, size_t begin, size_t end) {
  const std::string_view text = source.substr(begin, end - begin);
  if (static_cast<size_t>(std::ranges::count(text, '\n')) > kBetweenMax) {
    out += "    …\n";
    return;
  }
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    out += "    " + shown(text, at, text.find('\n', at)) + "\n";
  }
}

}  // namespace

std::string values_above(std::string_view source, std::vector<ValueAbove> values) {
  std::erase_if(values, [&](const ValueAbove& v) { return v.where.end > source.size(); });
  std::ranges::stable_sort(values, {}, [](const ValueAbove& v) { return v.where.begin; });
  std::string out;
  size_t behind = 0;  // the line that was shown last
  for (auto value = values.begin(); value != values.end();) {
    const SourceLine line = line_at(source, value->where.begin);
    if (!out.empty()) put_between(out, source, behind, line.begin);
    RowsAbove rows;
    for (; value != values.end() && value->where.begin <= line.end; ++value) {
      rows.add(column_of(source, line, value->where.begin), value->value);
    }
    rows.put(out);
    out += "    " + shown(source, line.begin, line.end) + "\n";
    behind = std::min(line.end + 1, source.size());
  }
  return out;
}

std::string in_one_line(std::string_view source, Span where) {
  std::string out;
  for (const char c : source.substr(where.begin, where.end - where.begin)) {
    if (!is_blank(c)) out += c;
    if (is_blank(c) && !out.ends_with(' ')) out += ' ';
  }
  return out;
}

}  // namespace pmjit
