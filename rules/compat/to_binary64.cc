#include "rules/compat/to_binary64.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

// Two numbers in one register, for loops that the compilers find no vector for: theirs would have
// to give up what NaN and -0 mean.
typedef double TwoNumbers __attribute__((vector_size(16)));
typedef int64_t TwoMasks __attribute__((vector_size(16)));
inline constexpr size_t kTwo = 2;

[[nodiscard]] inline TwoNumbers two_numbers(const double* from) {
  TwoNumbers out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

template <class F>
void run(std::span<const uint64_t> bits, double scale, double* out, F real) {
  for (size_t i = 0; i < bits.size(); ++i) out[i] = real(bits[i]) * scale;
}

// Processors without AVX-512 do not convert integers of 64 bits, two at a time. But a number whose
// exponent says 2^52 has an integer in its lower 32 bits, and one of 2^84 an integer of 2^32: what
// is taken off again leaves both halves exactly, and their sum is rounded once.
constexpr uint64_t kUpper = 0x4530000000000000, kLower = 0x4330000000000000;
constexpr uint64_t kLowerHalf = 0xffffffff;
constexpr uint64_t kSign = 0x80000000;  // of a half: exchanged, signed halves are in order
constexpr double kTwo31 = 0x1p31, kTwo52 = 0x1p52, kTwo63 = 0x1p63, kTwo84 = 0x1p84;

double real_of_u64(uint64_t bits) {
  const double upper = std::bit_cast<double>((bits >> 32) | kUpper) - (kTwo84 + kTwo52);
  return upper + std::bit_cast<double>((bits & kLowerHalf) | kLower);
}

double real_of_i64(uint64_t bits) {
  const double upper =
      std::bit_cast<double>(((bits >> 32) ^ kSign) | kUpper) - (kTwo84 + kTwo63 + kTwo52);
  return upper + std::bit_cast<double>((bits & kLowerHalf) | kLower);
}

double real_of_u32(uint64_t bits) {
  return std::bit_cast<double>((bits & kLowerHalf) | kLower) - kTwo52;
}

double real_of_i32(uint64_t bits) {
  return std::bit_cast<double>(((bits & kLowerHalf) ^ kSign) | kLower) - (kTwo52 + kTwo31);
}

double real_of_f32(uint64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

constexpr size_t kWays = 4;  // side by side, so that none waits for another

struct Way {
  TwoNumbers least, greatest;
  TwoMasks unordered;

  void take(TwoNumbers x) {
    least = x < least ? x : least;
    greatest = x > greatest ? x : greatest;
    unordered |= (TwoMasks)(x != x);
  }
};

}  // namespace

void reals_of(int type, std::span<const uint64_t> bits, double scale, double* out) {
  switch (type) {
    case pm_type::i32: return run(bits, scale, out, real_of_i32);
    case pm_type::u32: return run(bits, scale, out, real_of_u32);
    case pm_type::i64: return run(bits, scale, out, real_of_i64);
    case pm_type::u64: return run(bits, scale, out, real_of_u64);
    case pm_type::f32: return run(bits, scale, out, real_of_f32);
    default:
      return run(bits, scale, out, [](uint64_t number) { return std::bit_cast<double>(number); });
  }
}

bool any_less(const double* numbers, const double* than, size_t n) {
  TwoMasks less{};
  size_t i = 0;
  for (; i + kTwo <= n; i += kTwo) {
    less |= (TwoMasks)(two_numbers(numbers + i) < two_numbers(than + i));
  }
  bool any = (less[0] | less[1]) != 0;
  for (; i < n; ++i) any |= numbers[i] < than[i];
  return any;
}

Extremes extremes_of(const double* first, size_t count) {
  const TwoNumbers begin{*first, *first};
  std::array<Way, kWays> ways;
  ways.fill(Way{begin, begin, TwoMasks{}});
  size_t i = 0;
  for (; i + kWays * kTwo <= count; i += kWays * kTwo) {
    for (size_t way = 0; way < kWays; ++way) ways[way].take(two_numbers(first + i + way * kTwo));
  }
  for (; i < count; ++i) ways[0].take(TwoNumbers{first[i], first[i]});
  Extremes out{.least = *first, .greatest = *first, .ordered = true};
  for (const Way& way : ways) {
    for (size_t k = 0; k < kTwo; ++k) {
      out.least = std::min(out.least, way.least[k]);
      out.greatest = std::max(out.greatest, way.greatest[k]);
      out.ordered &= way.unordered[k] == 0;
    }
  }
  return out;
}

}  // namespace pmjit::pmie
