#include "tests/unit/evaluators/values.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <type_traits>
#include <vector>

namespace pmjit::tests {

namespace {

uint64_t of(double v) { return std::bit_cast<uint64_t>(v); }
uint64_t of(float v) { return std::bit_cast<uint32_t>(v); }
template <class T>
  requires std::is_integral_v<T>
uint64_t of(T v) {
  return static_cast<uint64_t>(v);
}

constexpr uint64_t k2to53 = uint64_t{1} << 53, k2to62 = uint64_t{1} << 62;
constexpr uint64_t k2to63 = uint64_t{1} << 63;

// What every element has, and `more` of its own; each once.
template <class T>
std::vector<uint64_t> edges(std::vector<T> more) {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {T(0), T(1), static_cast<T>(-1), L::lowest(), L::max()};
  if constexpr (std::is_floating_point_v<T>) {
    for (const T sign : {T(1), T(-1)}) {
      for (const T v : {T(0), L::infinity(), L::quiet_NaN(), L::denorm_min(), L::min()}) {
        values.push_back(sign * v);
      }
    }
  }
  values.insert(values.end(), more.begin(), more.end());
  std::vector<uint64_t> out;
  for (const T value : values) {
    if (std::ranges::find(out, of(value)) == out.end()) out.push_back(of(value));
  }
  return out;
}

// Beside the ends their neighbours and the middle. Of 64 bits the last two lie halfway between two
// doubles and just beyond.
template <class T>
std::vector<uint64_t> words() {
  return edges<T>({7, 0x7ffffffe, 0x7fffffff, static_cast<T>(0x80000000u),
                   static_cast<T>(0x80000001u), static_cast<T>(0xfffffffeu)});
}
template <class T>
std::vector<uint64_t> longs() {
  std::vector<T> more;
  for (const uint64_t bits :
       {uint64_t{3}, uint64_t{1} << 32, k2to53 + 1, ~k2to53, k2to62, 3 * k2to62, k2to63 - 2,
        k2to63 - 1, k2to63, k2to63 + 1, ~uint64_t{1}, k2to63 + 1024, k2to63 + 1025}) {
    more.push_back(static_cast<T>(bits));
  }
  return edges<T>(more);
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
  static const std::map<Elem, std::vector<uint64_t>> kEdges = {
      {Elem::i32, words<int32_t>()},
      {Elem::u32, words<uint32_t>()},
      {Elem::i64, longs<int64_t>()},
      {Elem::u64, longs<uint64_t>()},
      {Elem::f32, edges<float>({0.1F, -1.5F})},
      {Elem::f64, edges<double>({0.1, 0.5, 9007199254740994.0})},
      {Elem::truth, {0, 1}},
      {Elem::text, words<uint32_t>()},  // an index into the column's dictionary, as bytes are
      {Elem::bytes, words<uint32_t>()},
  };
  return kEdges.at(elem);
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
