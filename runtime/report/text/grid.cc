#include "runtime/report/text/grid.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

constexpr size_t kLeastWidth = 8;

constexpr int kWidthDefault = 100, kWidthLeast = 40;

}  // namespace

std::vector<size_t> Grid::natural_widths() const {
  std::vector<size_t> out;
  for (const Heading& heading : headings_) out.push_back(display_width(heading.text));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], display_width(row[i]));
  }
  return out;
}

size_t Grid::wanted_width() const {
  std::vector<size_t> widths = natural_widths();
  for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::min(widths[i], headings_[i].enough);
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

std::vector<size_t> Grid::widths(size_t width) const {
  std::vector<size_t> out = natural_widths();
  size_t total = std::accumulate(out.begin(), out.end(), kGap * (out.size() - 1));
  while (total > width) {
    size_t widest = out.size();
    for (size_t i = 0; i < out.size(); ++i) {
      if (!headings_[i].shrinks || out[i] <= kLeastWidth) continue;
      if (widest == out.size() || out[i] > out[widest]) widest = i;
    }
    if (widest == out.size()) break;
    --out[widest];
    --total;
  }
  return out;
}

std::string Grid::text(size_t width, const Paint& paint) const {
  const std::vector<size_t> widths = this->widths(width);
  std::string out;
  const auto line_of = [&](auto cell_at) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      std::string cell = fit(cell_at(i), widths[i]);
      const std::string pad(widths[i] - display_width(cell), ' ');
      if (headings_[i].right && cell == kUnknown) cell = paint.as_unknown(cell);
      if (i > 0) line.append(kGap, ' ');
      line += headings_[i].right ? pad + cell : cell + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  out += paint.as_heading(line_of([&](size_t i) { return headings_[i].text; })) + "\n";
  for (const auto& row : rows_) out += line_of([&](size_t i) { return row[i]; }) + "\n";
  return out;
}

size_t terminal_width(int asked) {
  const char* columns = asked > 0 ? nullptr : std::getenv("COLUMNS");
  if (columns) asked = std::atoi(columns);
  return static_cast<size_t>(asked > 0 ? std::max(asked, kWidthLeast) : kWidthDefault);
}

}  // namespace pmjit
