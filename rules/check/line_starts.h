// Where lines begin, so that a place in a long text is found without reading the text.
//
//   const LineStarts starts(source);
//   starts.place_of(span.begin)           // as messages count lines
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

class LineStarts {
 public:
  explicit LineStarts(const SourceText& source) : source_(source) {
    const std::string& text = source.text;
    for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
      starts_.push_back(static_cast<uint32_t>(at) + 1);
    }
  }

  // The line, from 0 on.
  [[nodiscard]] size_t line_of(uint32_t offset) const {
    const auto next = std::ranges::upper_bound(starts_, offset);
    return static_cast<size_t>(next - starts_.begin()) - 1;
  }
  // Whole lines, with what they are in the file.
  [[nodiscard]] SourceText lines(size_t first, size_t last) const {
    const size_t end = last + 1 < starts_.size() ? starts_[last + 1] - 1 : source_.text.size();
    return {.name = source_.name,
            .text = source_.text.substr(starts_[first], end - starts_[first]),
            .first_line = source_.first_line + static_cast<uint32_t>(first)};
  }
  [[nodiscard]] LineColumn place_of(uint32_t offset) const {
    const size_t line = line_of(offset);
    return line_column(lines(line, line), offset - starts_[line]);
  }
  [[nodiscard]] uint32_t start(size_t line) const { return starts_[line]; }

 private:
  const SourceText& source_;
  std::vector<uint32_t> starts_{0};
};

}  // namespace pmjit
