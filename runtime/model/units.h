// Units: dimensions and scales of a value in space, time and count, and an extra unit (pmUnits).
// Units are compile-time: values are plain numbers, and a change of scale is an operator. Source:
// spec pmapi.md §3.2, §15.2, §16.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/model/extra_units.h"

namespace pmjit {

struct Units {
  int8_t dim_space = 0, dim_time = 0, dim_count = 0;  // -8 … 7
  uint8_t scale_space = 0;                            // 0 byte, 1 Kbyte … 8 Ybyte (powers of 1024)
  uint8_t scale_time = 0;                             // 0 ns, 1 us, 2 ms, 3 s, 4 min, 5 h
  int8_t scale_count = 0;                             // power of ten
  ExtraUnit extra = {};
  friend constexpr auto operator<=>(const Units&, const Units&) = default;

  [[nodiscard]] bool no_dimension() const {
    return dim_space == 0 && dim_time == 0 && dim_count == 0;
  }
  [[nodiscard]] bool none() const { return no_dimension() && extra.none(); }
};

inline constexpr uint8_t kTimeScaleSec = 3;

// The packed word of archives and PDUs.
Units units_from_word(uint32_t word, ExtraUnits extra);
uint32_t units_to_word(Units units);
std::string units_text(Units units);  // as pmUnitsStr prints it; "" for none

// Space and time dimensions and extra unit equal; count and none are interchangeable (dialects.md
// §4.4, row 49).
bool same_dimensions(Units a, Units b);

// value in `from` × num / den = value in `to`. Exact; den or num is 1 unless the scales of several
// dimensions pull in different directions. None: dimensions differ, a scale has no factor (those of
// temperature have none), or 64 bits do not hold it.
struct ScaleFactor {
  uint64_t num = 1, den = 1;
};
std::optional<ScaleFactor> scale_factor(Units from, Units to);

// From one scale of temperature to another, of nothing but a temperature; its zero moves. None:
// there is a factor, or nothing.
std::optional<TemperatureShift> scale_shift(Units from, Units to);

// Every non-zero dimension has its canonical scale: byte, second, count of one (dialects.md §4.4).
bool canonical_scales(Units units);

}  // namespace pmjit
