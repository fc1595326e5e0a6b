// Units: dimensions and scales of a value in space, time and count, and an extra unit (pmUnits).
// Units are compile-time: values are plain numbers, and a change of scale is an operator. Source:
// spec pmapi.md §3.2, §15.2, §16.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pmjit {

// Extra units: temperature, voltage, current, power (PCP 7.2). A value has at most one of them,
// beside space, time and count. Source: spec pmapi.md §3.2, §15.2, §16.2, §16.3.
struct ExtraUnit {
  int8_t unit = 0;    // 0 none, 1 temperature … 4 power; negative: values are divided by it
  uint8_t scale = 0;  // from 1
  friend constexpr auto operator<=>(const ExtraUnit&, const ExtraUnit&) = default;

  [[nodiscard]] bool none() const { return unit == 0; }
};

// To PCP 6.x the bits of extra units are padding, and their words are no units.
enum class ExtraUnits : uint8_t { ignored, known };

inline constexpr int8_t kTemperature = 1;

std::string extra_unit_text(ExtraUnit unit);  // "temperature (C)", whatever the sign

// The words of pmParseUnitsStr, as pmUnitsStr prints them.
struct ExtraWord {
  std::string_view text;
  ExtraUnit unit;
};
std::span<const ExtraWord> extra_words();

// By how many powers of 1000 a number grows from one scale of a unit to another. None: another
// unit, a temperature, or a scale that nobody knows.
std::optional<int> extra_thousands(ExtraUnit from, ExtraUnit to);

// Between two scales of temperature: (value + before) × num / den + after. None: no such scales.
struct TemperatureShift {
  double before = 0;
  uint64_t num = 1, den = 1;
  double after = 0;
};
std::optional<TemperatureShift> temperature_shift(ExtraUnit from, ExtraUnit to);

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
