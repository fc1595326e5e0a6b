// Units behind a number, and the factor from a scale to the canonical one (byte, second, count).
// Source: spec rules-language.md §10.
#pragma once

#include <string_view>

#include "runtime/model/units.h"

namespace pmjit::pmie {

// To canonical units.
[[nodiscard]] double canonical_factor(const Units& units);
// Adds a unit to those of a constant, where it replaces one of its kind. Of a word of find_unit().
void add_unit(Units& units, std::string_view word, int exponent);

}  // namespace pmjit::pmie
