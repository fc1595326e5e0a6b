#include "runtime/model/extra_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace pmjit {

namespace {

// Scales of all but temperatures are a factor of 1000 apart, the larger one first.
constexpr ExtraWord kWords[] = {
    {"temperature (C)", {1, 1}}, {"temperature (F)", {1, 2}}, {"temperature (K)", {1, 3}},
    {"voltage (V)", {2, 1}},     {"voltage (mV)", {2, 2}},    {"voltage (uV)", {2, 3}},
    {"current (A)", {3, 1}},     {"current (mA)", {3, 2}},    {"current (uA)", {3, 3}},
    {"power (kW)", {4, 1}},      {"power (W)", {4, 2}},       {"power (mW)", {4, 3}},
    {"power (uW)", {4, 4}},
};

constexpr double kFreezing = 273.15;  // in K
enum : uint8_t { kC = 1, kF, kK };
struct Shift {
  uint8_t from, to;
  TemperatureShift shift;
};
constexpr Shift kShifts[] = {
    {kC, kF, {.num = 18, .den = 10, .after = 32}},
    {kF, kC, {.before = -32, .num = 10, .den = 18}},
    {kC, kK, {.after = kFreezing}},
    {kK, kC, {.before = -kFreezing}},
    {kF, kK, {.before = -32, .num = 10, .den = 18, .after = kFreezing}},
    {kK, kF, {.before = -kFreezing, .num = 18, .den = 10, .after = 32}},
};

ExtraUnit positive(ExtraUnit unit) {
  unit.unit = static_cast<int8_t>(std::abs(unit.unit));
  return unit;
}

// Null: nobody knows it.
const ExtraWord* word_of(ExtraUnit unit) {
  const auto* found = std::ranges::find(kWords, positive(unit), &ExtraWord::unit);
  return found == std::end(kWords) ? nullptr : found;
}

}  // namespace

std::span<const ExtraWord> extra_words() { return kWords; }

std::string extra_unit_text(ExtraUnit unit) {
  if (const ExtraWord* word = word_of(unit)) return std::string(word->text);
  const ExtraWord* first = word_of({.unit = unit.unit, .scale = 1});
  if (first == nullptr) return fmt::format("extra-{}", std::abs(unit.unit));
  return fmt::format("{} (scale-{})", first->text.substr(0, first->text.find(' ')), unit.scale);
}

std::optional<int> extra_thousands(ExtraUnit from, ExtraUnit to) {
  if (from.unit != to.unit) return std::nullopt;
  if (from.none() || from.scale == to.scale) return 0;
  const bool zeros = std::abs(from.unit) == kTemperature;
  if (zeros || word_of(from) == nullptr || word_of(to) == nullptr) return std::nullopt;
  return (to.scale - from.scale) * (from.unit > 0 ? 1 : -1);
}

std::optional<TemperatureShift> temperature_shift(ExtraUnit from, ExtraUnit to) {
  if (from.unit != kTemperature || to.unit != kTemperature) return std::nullopt;
  for (const Shift& row : kShifts) {
    if (row.from == from.scale && row.to == to.scale) return row.shift;
  }
  return std::nullopt;
}

}  // namespace pmjit
