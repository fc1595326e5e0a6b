// Decimal: a number of few digits, exactly as it was written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pmjit::parse {

struct Decimal {  // count × 10^exponent
  int64_t count = 0;
  int exponent = 0;
};

// Of a number of the language; none: it has more than 18 digits.
std::optional<Decimal> decimal_of(std::string_view digits);
// Gives all of them one exponent, the smallest. False: one has too many digits then.
bool align(std::span<Decimal> numbers);
// The number without its sign, as the language writes it: whole, or with a point or exponent.
std::string decimal_text(Decimal number, bool whole);

}  // namespace pmjit::parse
