// Offsets to lines and columns. A column counts code points: bytes 10xxxxxx continue one and do not
// count.
#include "compiler/diag/source.h"

#include <algorithm>
#include <cstddef>

namespace pmjit {

LineColumn line_column(const SourceText& source, uint32_t offset) {
  const std::string_view before = std::string_view(source.text).substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 == 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin),
                                    before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return {source.first_line + static_cast<uint32_t>(lines), static_cast<uint32_t>(column) + 1};
}

}  // namespace pmjit
