// Units in words for people: what kind of value has them, and what most people would write behind a
// number.
//
//   dimension_text(of_bytes_per_second)                → "a size per time"
//   usual_unit(of_bytes_per_second, of_a_number_in_Gbyte) → "Gbyte/sec"
#pragma once

#include <string>

#include "runtime/model/units.h"

namespace pmjit {

[[nodiscard]] std::string dimension_text(const Units& units);

// "": no one unit is usual. A size has the scale of `written`, where that is a size, too.
[[nodiscard]] std::string usual_unit(const Units& units, const Units& written);

}  // namespace pmjit
