// A text of the user's with values above its parts:
//
//               2329 count / sec
//     some_inst disk.dev.write > 500 count/sec
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

struct ValueAbove {
  Span where;  // bytes of the text
  std::string value;
};

// Lines of `source` that have values, and a few between them; each ends with a line feed. A value
// begins above its part, or higher where another value is in the way.
[[nodiscard]] std::string values_above(std::string_view source, std::vector<ValueAbove> values);

// What stands at `where`, in one line.
[[nodiscard]] std::string in_one_line(std::string_view source, Span where);

}  // namespace pmjit
