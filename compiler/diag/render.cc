// Diagnostics against their text, as sketched in diag.h. One source line is shown for each line
// that the diagnostic or one of its labels begins on, the diagnostic's own first.
//
// A shown line is at most kShownMax columns wide: a longer one is cut around the marks. Every
// column is one code point; tabs and control bytes are shown as one blank or ?, so that marks stay
// under what they mean. A span that goes on over the end of its line is marked to the end of the
// line.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compiler/diag/diag.h"
#include "compiler/diag/line_starts.h"

namespace pmjit {
namespace {

constexpr size_t kShownMax = 100;  // columns of source text
constexpr size_t kMarksMax = 16;   // labels that are drawn; the others become notes
constexpr uint32_t kViewBefore = 1'000,
                   kViewAfter = 3'000;  // bytes of a very long line around its mark

struct Mark {
  size_t begin, end;  // columns of ShownLine::view, from 0; end > begin
  char sign;
  std::string text;
};

struct ShownLine {
  uint32_t number;
  Span bytes;  // without the newline
  Span view;   // the bytes that are looked at: all, but of a very long line
  std::vector<Mark> marks;
};

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::note: return "difference";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

Span line_bytes(const SourceText& source, uint32_t offset) {
  const std::string_view text = source.text;
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  const size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;  // npos + 1 == 0
  const size_t end = std::min(text.find('\n', offset), text.size());
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

// One entry a column. UTF-8 is kept as it is, bytes that are none become ?.
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  for (size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    for (size_t k = 1; k < length; ++k)
      if (i + k >= line.size() || (line[i + k] & 0xC0) != 0x80) length = 1;
    if (length > 1)
      columns.emplace_back(line.substr(i, length));
    else if (byte == '\t' || byte == '\r')
      columns.emplace_back(" ");
    else if (byte < 0x20 || byte >= 0x7F)
      columns.emplace_back("?");
    else
      columns.emplace_back(1, line[i]);
    i += length;
  }
  return columns;
}

std::string_view bytes_of(const SourceText& source, Span span) {
  return std::string_view(source.text).substr(span.begin, span.end - span.begin);
}

size_t column_at(const SourceText& source, const ShownLine& line, uint32_t offset) {
  const uint32_t upto = std::clamp(offset, line.view.begin, line.view.end);
  return columns_of(bytes_of(source, {line.view.begin, upto})).size();
}

Span view_around(const SourceText& source, Span line, uint32_t offset) {
  Span view{offset - std::min(offset - line.begin, kViewBefore),
            offset + std::min(line.end - offset, kViewAfter)};
  while (view.begin > line.begin && (source.text[view.begin] & 0xC0) == 0x80) --view.begin;
  return view;
}

void add_mark(const SourceText& source, const LineStarts& starts, std::vector<ShownLine>& lines,
              Span span, char sign, std::string text) {
  const Span bytes = line_bytes(source, span.begin);
  auto line = std::find_if(lines.begin(), lines.end(),
                           [&](const ShownLine& l) { return l.bytes == bytes; });
  if (line == lines.end()) {
    const Span view = view_around(source, bytes, std::min(span.begin, bytes.end));
    const auto before = static_cast<uint32_t>(starts.line_of(bytes.begin));
    line = lines.insert(lines.end(), {source.first_line + before, bytes, view, {}});
  }
  const size_t begin = column_at(source, *line, span.begin);
  const size_t end = std::max(column_at(source, *line, std::max(span.begin, span.end)), begin + 1);
  line->marks.push_back({begin, end, sign, std::move(text)});
}

// Cuts a long line to a window that begins a little before the first mark of it, and moves the
// marks along. What a label loses by that is its marks, never its text.
std::vector<std::string> cut(std::vector<std::string> columns, const ShownLine& line,
                             std::vector<Mark>& marks) {
  if (columns.size() <= kShownMax) return columns;
  size_t from = marks.front().begin;
  for (const Mark& mark : marks)
    if (mark.begin < from && marks.front().begin - mark.begin < kShownMax / 2) from = mark.begin;
  from = from < kShownMax / 4 ? 0 : from - kShownMax / 4;
  from = std::min(from, columns.size() - kShownMax);
  const size_t to = std::min(columns.size(), from + kShownMax);
  std::vector<std::string> shown(columns.begin() + static_cast<ptrdiff_t>(from),
                                 columns.begin() + static_cast<ptrdiff_t>(to));
  if (from > 0 || line.view.begin > line.bytes.begin) shown.front() = "…";
  if (to < columns.size() || line.view.end < line.bytes.end) shown.back() = "…";
  for (Mark& mark : marks) {
    mark.begin = std::clamp(mark.begin, from, to - 1) - from;
    mark.end = std::max(std::clamp(mark.end, from, to) - from, mark.begin + 1);
  }
  return shown;
}

void put(std::string& row, size_t column, size_t count, char sign) {
  if (row.size() < column + count) row.resize(column + count, ' ');
  for (size_t i = 0; i < count; ++i) row[column + i] = sign;
}

// The row of ^ and -, the text of the rightmost label behind it; then one row a label, right to
// left, each hanging on a | from its mark.
std::vector<std::string> mark_rows(std::vector<Mark> marks) {
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return std::tie(a.begin, a.text) < std::tie(b.begin, b.text);
  });
  std::string row;
  for (const Mark& mark : marks)
    if (mark.sign == '-') put(row, mark.begin, mark.end - mark.begin, '-');
  for (const Mark& mark : marks)
    if (mark.sign == '^') put(row, mark.begin, mark.end - mark.begin, '^');
  const bool beside = !marks.back().text.empty() && marks.back().end >= row.size();
  std::vector<std::string> rows{beside ? row + " " + marks.back().text : row};
  if (beside) marks.pop_back();
  std::erase_if(marks, [](const Mark& mark) { return mark.text.empty(); });
  for (bool first = true; !marks.empty(); marks.pop_back(), first = false) {
    std::string bars;
    for (const Mark& mark : marks) put(bars, mark.begin, 1, '|');
    if (first) rows.push_back(bars);
    bars.resize(marks.back().begin);
    rows.push_back(bars + marks.back().text);
  }
  return rows;
}

uint32_t column_of(const SourceText& source, Span line, uint32_t offset) {
  const SourceText alone{.name = {}, .text = std::string(bytes_of(source, line))};
  return line_column(alone, offset - line.begin).column;
}

DiagView view_of(const Diag& diag) {
  return {.code = diag_code_text(diag.code),
          .severity = diag.severity,
          .span = diag.span,
          .message = diag.message,
          .labels = diag.labels,
          .helps = diag.helps};
}

}  // namespace

std::string render(const DiagView& diag, const SourceText& source, const LineStarts& starts) {
  std::vector<ShownLine> lines;
  add_mark(source, starts, lines, diag.span, '^', "");
  std::vector<std::string> notes;
  for (const DiagLabel& label : diag.labels) {
    size_t drawn = 0;
    for (const ShownLine& line : lines) drawn += line.marks.size();
    if (drawn <= kMarksMax && label.span == diag.span)
      lines.front().marks.front().text = label.text;
    else if (drawn <= kMarksMax)
      add_mark(source, starts, lines, label.span, '-', label.text);
    else
      notes.push_back(label.text);
  }

  const ShownLine& own = lines.front();
  const uint32_t column = column_of(source, own.bytes, diag.span.begin);
  const std::string place = fmt::format("{}:{}:{}", source.name, own.number, column);
  uint32_t last_number = 0;
  for (const ShownLine& line : lines) last_number = std::max(last_number, line.number);
  const size_t width = fmt::formatted_size("{}", last_number);
  const std::string gutter(width + 1, ' ');

  std::string out =
      fmt::format("{}[{}]: {}\n", severity_text(diag.severity), diag.code, diag.message);
  // A text of one line that the user has typed has no place to name.
  const bool typed = source.name.empty() && !source.text.contains('\n');
  if (!typed) out += fmt::format("{}--> {}\n", gutter, place);
  out += fmt::format("{} |\n", gutter);
  for (ShownLine& line : lines) {
    const auto columns = cut(columns_of(bytes_of(source, line.view)), line, line.marks);
    out += fmt::format(" {:>{}} |{}{}\n", typed ? "" : fmt::to_string(line.number), width,
                       columns.empty() ? "" : " ", fmt::join(columns, ""));
    for (const std::string& row : mark_rows(std::move(line.marks)))
      out += fmt::format("{} | {}\n", gutter, row);
  }
  for (const std::string& note : notes) out += fmt::format("{} = note: {}\n", gutter, note);
  for (const std::string& help : diag.helps) out += fmt::format("{} = help: {}\n", gutter, help);
  return out;
}

std::string render(const DiagView& diag, const SourceText& source) {
  return render(diag, source, LineStarts(source.text));
}

std::string render(const Diag& diag, const SourceText& source) {
  return render(view_of(diag), source);
}

std::string render_all(const Diags& diags, const SourceText& source) {
  std::string out;
  if (diags.empty()) return out;
  const LineStarts starts(source.text);
  for (const Diag& diag : diags.all()) {
    if (!out.empty()) out += '\n';
    out += render(view_of(diag), source, starts);
  }
  return out;
}

}  // namespace pmjit
