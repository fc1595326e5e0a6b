// Lengths of time and sizes as people say them: "2 d 3 h", "1.5 s", "288 MB".
#pragma once

#include <cstdint>
#include <string>

namespace pmjit {

// The two largest units that matter; below a minute a decimal number.
std::string human_duration(double seconds);

// Decimal units, about three digits.
std::string human_bytes(uint64_t bytes);

}  // namespace pmjit
