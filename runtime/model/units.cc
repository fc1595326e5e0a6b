// Units as words, as text and as factors. Reading text is parse_units.cc.
// Every factor between two scales is 2^a × 3^b × 5^c, so factors are sums of exponents and exact.

#include "runtime/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

namespace pmjit {

namespace {

constexpr std::array<std::string_view, 9> kSpaceNames{"byte",  "Kbyte", "Mbyte", "Gbyte", "Tbyte",
                                                      "Pbyte", "Ebyte", "Zbyte", "Ybyte"};
constexpr std::array<std::string_view, 6> kTimeNames{"nanosec", "microsec", "millisec",
                                                     "sec",     "min",      "hour"};

// Exponents of the primes 2, 3 and 5.
struct Exponents {
  int two = 0, three = 0, five = 0;
  void add(const Exponents& other, int times) {
    two += other.two * times;
    three += other.three * times;
    five += other.five * times;
  }
};

// In nanoseconds: ns, us, ms, s, min, h.
constexpr std::array<Exponents, 6> kTimeExponents{
    {{0, 0, 0}, {3, 0, 3}, {6, 0, 6}, {9, 0, 9}, {11, 1, 10}, {13, 2, 11}}};
constexpr uint8_t kSpaceScaleMax = 6;  // Zbyte and Ybyte have no factor in the reference either

// `bits` of the word, above `shift`, with their sign.
constexpr int8_t signed_field(uint32_t word, int shift, int bits) {
  const int value = static_cast<int>((word >> shift) & ((1u << bits) - 1));
  return static_cast<int8_t>(value >> (bits - 1) != 0 ? value - (1 << bits) : value);
}
constexpr int8_t nibble_signed(uint32_t word, int shift) { return signed_field(word, shift, 4); }

std::string space_name(uint8_t scale) {
  if (scale < kSpaceNames.size()) return std::string(kSpaceNames[scale]);
  return fmt::format("space-{}", scale);
}

std::string time_name(uint8_t scale) {
  if (scale < kTimeNames.size()) return std::string(kTimeNames[scale]);
  return fmt::format("time-{}", scale);
}

std::string power_of_ten(int scale) { return scale == 1 ? "x 10" : fmt::format("x 10^{}", scale); }

std::string count_name(int scale) { return scale == 0 ? "count" : "count " + power_of_ten(scale); }

void append_part(std::string& out, const std::string& name, int power) {
  if (!out.empty()) out += ' ';
  out += name;
  if (power != 1) fmt::format_to(std::back_inserter(out), "^{}", power);
}

// The dimensions whose sign is that of `sign`, in the reference's order.
std::string side(Units u, int sign) {
  std::string out;
  if (u.extra.unit * sign > 0) append_part(out, extra_unit_text(u.extra), 1);
  if (u.dim_space * sign > 0) append_part(out, space_name(u.scale_space), u.dim_space * sign);
  if (u.dim_time * sign > 0) append_part(out, time_name(u.scale_time), u.dim_time * sign);
  if (u.dim_count * sign > 0) append_part(out, count_name(u.scale_count), u.dim_count * sign);
  return out;
}

// A plain number with a decimal scale is a count in all but name (pmConvScale says so too).
int count_exponent(Units u) { return u.scale_count * (u.no_dimension() ? 1 : u.dim_count); }

bool add_power(uint64_t& product, uint64_t base, int times) {
  for (int i = 0; i < times; ++i) {
    if (__builtin_mul_overflow(product, base, &product)) return false;
  }
  return true;
}

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

Units units_from_word(uint32_t word, ExtraUnits extra) {
  Units out{.dim_space = nibble_signed(word, 28),
            .dim_time = nibble_signed(word, 24),
            .dim_count = nibble_signed(word, 20),
            .scale_space = static_cast<uint8_t>((word >> 16) & 0xf),
            .scale_time = static_cast<uint8_t>((word >> 12) & 0xf),
            .scale_count = nibble_signed(word, 8)};
  if (extra == ExtraUnits::known) {
    out.extra = {.unit = signed_field(word, 3, 5), .scale = static_cast<uint8_t>(word & 7)};
  }
  return out;
}

uint32_t units_to_word(Units u) {
  const auto nibble = [](int value, int shift) {
    return (static_cast<uint32_t>(value) & 0xf) << shift;
  };
  return nibble(u.dim_space, 28) | nibble(u.dim_time, 24) | nibble(u.dim_count, 20) |
         nibble(u.scale_space, 16) | nibble(u.scale_time, 12) | nibble(u.scale_count, 8) |
         (static_cast<uint32_t>(u.extra.unit) & 0x1f) << 3 | (u.extra.scale & 7u);
}

std::string units_text(Units u) {
  if (u.none()) return u.scale_count == 0 ? "" : power_of_ten(u.scale_count);
  std::string out = side(u, 1);
  const std::string below = side(u, -1);
  if (below.empty()) return out;
  if (!out.empty()) out += ' ';
  return out + "/ " + below;
}

bool same_dimensions(Units a, Units b) {
  return a.dim_space == b.dim_space && a.dim_time == b.dim_time && a.extra.unit == b.extra.unit;
}

std::optional<ScaleFactor> scale_factor(Units from, Units to) {
  if (!same_dimensions(from, to)) return std::nullopt;
  const auto thousands = extra_thousands(from.extra, to.extra);
  if (!thousands) return std::nullopt;
  Exponents sum;
  sum.add({.two = 3, .five = 3}, *thousands);
  if (from.dim_space != 0 && from.scale_space != to.scale_space) {
    if (from.scale_space > kSpaceScaleMax || to.scale_space > kSpaceScaleMax) return std::nullopt;
    sum.two += 10 * (from.scale_space - to.scale_space) * from.dim_space;
  }
  if (from.dim_time != 0 && from.scale_time != to.scale_time) {
    if (from.scale_time >= kTimeExponents.size() || to.scale_time >= kTimeExponents.size()) {
      return std::nullopt;
    }
    sum.add(kTimeExponents[from.scale_time], from.dim_time);
    sum.add(kTimeExponents[to.scale_time], -from.dim_time);
  }
  sum.add({.two = 1, .five = 1}, count_exponent(from) - count_exponent(to));

  ScaleFactor factor;
  const auto apply = [&](uint64_t prime, int times) {
    return add_power(times > 0 ? factor.num : factor.den, prime, std::abs(times));
  };
  if (!apply(2, sum.two) || !apply(3, sum.three) || !apply(5, sum.five)) return std::nullopt;
  return factor;
}

std::optional<TemperatureShift> scale_shift(Units from, Units to) {
  if (!from.no_dimension() || !to.no_dimension()) return std::nullopt;
  return temperature_shift(from.extra, to.extra);
}

bool canonical_scales(Units u) {
  return (u.dim_space == 0 || u.scale_space == 0) &&
         (u.dim_time == 0 || u.scale_time == kTimeScaleSec) &&
         (u.dim_count == 0 || u.scale_count == 0);
}

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
