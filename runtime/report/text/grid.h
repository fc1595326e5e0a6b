// Grid: rows of cells in aligned columns, no wider than the terminal: what does not fit is taken
// from the widest of the columns that may shrink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/report/text/paint.h"

namespace pmjit {

class Grid {
 public:
  struct Heading {
    std::string text;
    bool right = false;        // numbers
    bool shrinks = false;      // may be cut to fit the terminal
    size_t enough = SIZE_MAX;  // columns of the terminal that it should have
  };
  static constexpr size_t kGap = 2;                  // blanks between columns
  static constexpr std::string_view kUnknown = "?";  // a number that is not known
  explicit Grid(std::vector<Heading> headings) : headings_(std::move(headings)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Columns of the terminal that show everything, or as much of it as is enough.
  [[nodiscard]] size_t wanted_width() const;
  // Heading and rows, a line each, without trailing blanks.
  [[nodiscard]] std::string text(size_t width, const Paint& paint) const;

 private:
  [[nodiscard]] std::vector<size_t> natural_widths() const;
  [[nodiscard]] std::vector<size_t> widths(size_t width) const;
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// How wide text for people may be: $COLUMNS, 100 where that is not set.

// `asked` comes before $COLUMNS; 0: nobody asks.
size_t terminal_width(int asked);

}  // namespace pmjit
