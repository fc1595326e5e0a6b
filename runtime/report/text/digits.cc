#include "runtime/report/text/digits.h"

#include <array>
#include <bit>
#include <cstring>

namespace pmjit {

namespace {

constexpr auto kPairs = [] {
  std::array<char, 200> out{};
  for (size_t i = 0; i < 100; ++i) {
    out[2 * i] = static_cast<char>('0' + i / 10);
    out[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return out;
}();

constexpr auto kPowers = [] {
  std::array<uint64_t, 20> out{};
  uint64_t power = 1;
  for (uint64_t& entry : out) {
    entry = power;
    power *= 10;
  }
  return out;
}();

// 1233 / 4096 is log10(2), near enough for 64 bits.
int digits_of(uint64_t value) {
  const int guess = (64 - std::countl_zero(value | 1)) * 1233 >> 12;
  return guess + (value >= kPowers[static_cast<size_t>(guess)] ? 1 : 0);
}

}  // namespace

char* put_padded(char* at, uint64_t value, int count) {
  char* const end = at + count;
  char* p = end;
  for (; p - at >= 2; value /= 100) {
    p -= 2;
    std::memcpy(p, &kPairs[2 * (value % 100)], 2);
  }
  if (p != at) *at = static_cast<char>('0' + value % 10);
  return end;
}

char* put_whole(char* at, uint64_t value) {
  return put_padded(at, value, value == 0 ? 1 : digits_of(value));
}

}  // namespace pmjit
