// Extra units: temperature, voltage, current, power (PCP 7.2). A value has at most one of them,
// beside space, time and count. Source: spec pmapi.md §3.2, §15.2, §16.2, §16.3.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pmjit {

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

}  // namespace pmjit
