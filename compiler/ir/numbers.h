// Numbers of a payload as text and back, exactly: decimal integers, the shortest text of a double
// that reads back, true and false; `#` and the bits in hex where nothing else is exact (NaNs with a
// payload).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/desc.h"

namespace pmjit {

std::string number_text(Elem elem, uint64_t bits);
std::optional<uint64_t> number_from_text(Elem elem, std::string_view text);

// A whole text as a plain unsigned number; none: anything else, or too large.
std::optional<uint32_t> u32_from_text(std::string_view text);
// `#` and hex digits.
std::optional<uint64_t> bits_from_text(std::string_view text);

}  // namespace pmjit
