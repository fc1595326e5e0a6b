// Where rows end in text, so that what is cut short ends with a whole one.
#pragma once

#include <cstdint>
#include <string_view>

namespace pmjit {

enum class RowEnds : uint8_t {
  lines,     // at each line feed
  csv,       // at each line feed that is in no quotes
  messages,  // where whoever writes them says
};

// Both of text that begins outside of quotes. Where the last row in it ends; 0: none does.
size_t last_row_end(RowEnds how, std::string_view text);
// Where the first row ends that does so behind `at`; npos: none does.
size_t row_end_behind(RowEnds how, std::string_view text, size_t at);

}  // namespace pmjit
