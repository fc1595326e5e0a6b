#include "tests/unit/evaluators/values.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace pmjit::tests {

namespace {

template <class T>
using Limits = std::numeric_limits<T>;

uint64_t of(double v) { return std::bit_cast<uint64_t>(v); }
uint64_t of(float v) { return std::bit_cast<uint32_t>(v); }

constexpr uint64_t k2to53 = uint64_t{1} << 53, k2to63 = uint64_t{1} << 63;

constexpr std::array<uint64_t, 9> kWords = {
    0, 1, 7, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
// The last two lie halfway between two doubles and just beyond.
constexpr std::array<uint64_t, 16> kLongs = {0,
                                             1,
                                             3,
                                             uint64_t{1} << 32,
                                             k2to53 + 1,
                                             k2to63 - 2,
                                             k2to63 - 1,
                                             k2to63,
                                             k2to63 + 1,
                                             ~k2to53,
                                             ~uint64_t{1},
                                             ~uint64_t{0},
                                             uint64_t{1} << 62,
                                             uint64_t{3} << 62,
                                             k2to63 + 1024,
                                             k2to63 + 1025};
constexpr std::array<uint64_t, 2> kTruths = {0, 1};

const std::array<uint64_t, 14>& reals() {
  using L = Limits<double>;
  static const std::array<uint64_t, 14> values = {of(0.0),
                                                  of(-0.0),
                                                  of(1.0),
                                                  of(-1.0),
                                                  of(0.1),
                                                  of(L::max()),
                                                  of(L::lowest()),
                                                  of(L::infinity()),
                                                  of(-L::infinity()),
                                                  of(L::quiet_NaN()),
                                                  of(L::denorm_min()),
                                                  of(-L::min()),
                                                  of(9007199254740994.0),
                                                  of(0.5)};
  return values;
}

const std::array<uint64_t, 10>& floats() {
  using L = Limits<float>;
  static const std::array<uint64_t, 10> values = {
      of(0.0F),          of(-0.0F),          of(1.0F),           of(-1.5F),    of(0.1F),
      of(L::infinity()), of(-L::infinity()), of(L::quiet_NaN()), of(L::max()), of(L::denorm_min())};
  return values;
}

uint64_t small_number(Elem elem, Rng& rng) {
  const auto number = static_cast<int64_t>(rng.below(41)) - 20;
  if (elem == Elem::f64) return of(static_cast<double>(number) / 4);
  if (elem == Elem::f32) return of(static_cast<float>(number) / 4);
  if (elem == Elem::truth) return number > 0;
  return static_cast<uint64_t>(is_unsigned(elem) ? number + 20 : number);
}

}  // namespace

std::span<const uint64_t> edge_values(Elem elem) {
  switch (elem) {
    case Elem::i64:
    case Elem::u64: return kLongs;
    case Elem::f64: return reals();
    case Elem::f32: return floats();
    case Elem::truth: return kTruths;
    default: return kWords;
  }
}

uint64_t random_value(Elem elem, Rng& rng) {
  switch (rng.below(4)) {
    case 0:
      if (elem != Elem::truth) return rng.bits();
      [[fallthrough]];
    case 1: return small_number(elem, rng);
    default: return rng.of(edge_values(elem));
  }
}

uint64_t garbage(Rng& rng) { return rng.bits(); }

}  // namespace pmjit::tests
