// Where the lines of a text begin, so that the line of a place in a long text is found without
// reading the text.
//
//   const LineStarts starts(source.text);   // once for many places
//   line_column(source, starts, span.begin) // as messages count lines
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

class LineStarts {
 public:
  explicit LineStarts(std::string_view text) : size_(text.size()) {
    for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
      starts_.push_back(static_cast<uint32_t>(at) + 1);
    }
  }

  // From 0 on.
  [[nodiscard]] size_t line_of(size_t offset) const {
    const auto next = std::ranges::upper_bound(starts_, offset);
    return static_cast<size_t>(next - starts_.begin()) - 1;
  }
  [[nodiscard]] size_t number_of(size_t offset) const { return line_of(offset) + 1; }
  [[nodiscard]] uint32_t start(size_t line) const { return starts_[line]; }
  // Without its line feed.
  [[nodiscard]] size_t end(size_t line) const {
    return line + 1 < starts_.size() ? starts_[line + 1] - 1 : size_;
  }

 private:
  size_t size_;
  std::vector<uint32_t> starts_{0};
};

// line_column(), and render() of one diagnostic among many of a text.
[[nodiscard]] LineColumn line_column(const SourceText& source, const LineStarts& starts,
                                     uint32_t offset);
[[nodiscard]] std::string render(const DiagView& diag, const SourceText& source,
                                 const LineStarts& starts);

}  // namespace pmjit
