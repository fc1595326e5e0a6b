// Units as a user writes them. Source: spec pmapi.md §16.3.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/units.h"

namespace pmjit {

// The text of pmParseUnitsStr; the multiplier is what a value in the returned units must be
// multiplied by to be in the written ones. Message texts are the reference's.
struct ParsedUnits {
  Units units;
  double multiplier = 1;
};
Result<ParsedUnits> parse_units(std::string_view text, ExtraUnits extra);

// "did you mean Kbyte?" of the first word that is no unit; empty: none is like it.
[[nodiscard]] std::string near_unit_text(std::string_view text);

}  // namespace pmjit
