// Loops over columns agree with the plain ones that they stand for.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "rules/compat/to_binary64.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/evaluators/rng.h"

namespace pmjit::pmie {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr size_t kCountMax = 40;

TEST(Extremes, AreTheLeastAndTheGreatest) {
  tests::Rng rng(1);
  for (size_t count = 1; count < kCountMax; ++count) {
    std::vector<double> numbers;
    for (size_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(rng.below(1000)));
    if (rng.one_in(3)) numbers[rng.below(count)] = -kInfinite;
    if (rng.one_in(3)) numbers[rng.below(count)] = kInfinite;
    const Extremes of = extremes_of(numbers.data(), count);
    EXPECT_TRUE(of.ordered);
    EXPECT_EQ(of.least, std::ranges::min(numbers));
    EXPECT_EQ(of.greatest, std::ranges::max(numbers));
    for (size_t i = 0; i < count; ++i) {
      const double number = std::exchange(numbers[i], std::nan(""));
      EXPECT_FALSE(extremes_of(numbers.data(), count).ordered);
      numbers[i] = number;
    }
  }
}

template <class T>
void expect_converted(int type, const std::vector<uint64_t>& bits) {
  constexpr double kScale = 0.1;
  std::vector<double> out(bits.size());
  reals_of(type, bits, kScale, out.data());
  for (size_t i = 0; i < bits.size(); ++i) {
    T value;
    std::memcpy(&value, &bits[i], sizeof value);
    const double expected = static_cast<double>(value) * kScale;
    EXPECT_EQ(std::bit_cast<uint64_t>(out[i]), std::bit_cast<uint64_t>(expected))
        << type << " " << bits[i];
  }
}

TEST(Reals, AreTheNearest) {
  tests::Rng rng(2);
  std::vector<uint64_t> bits = {0, 1, ~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 63) - 1};
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (int i = 0; i < 50; ++i) {
      // Near the numbers that lie in the middle between two, too.
      bits.push_back(rng.bits() >> shift);
      bits.push_back((~uint64_t{0} << shift) + rng.below(3) - 1);
      bits.push_back((uint64_t{1} << shift) + (uint64_t{1} << shift >> 53) + rng.below(3) - 1);
    }
  }
  expect_converted<int64_t>(pm_type::i64, bits);
  expect_converted<uint64_t>(pm_type::u64, bits);
  expect_converted<int32_t>(pm_type::i32, bits);
  expect_converted<uint32_t>(pm_type::u32, bits);
  std::erase_if(bits, [](uint64_t b) { return std::isnan(std::bit_cast<double>(b)); });
  expect_converted<double>(pm_type::f64, bits);
  std::erase_if(
      bits, [](uint64_t b) { return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(b))); });
  expect_converted<float>(pm_type::f32, bits);
}

TEST(Reals, TellWhetherOneIsLess) {
  for (size_t count = 0; count < kCountMax; ++count) {
    std::vector<double> numbers(count, 1), than(count, 1);
    EXPECT_FALSE(any_less(numbers.data(), than.data(), count));
    for (size_t i = 0; i < count; ++i) {
      numbers[i] = 0.5;
      EXPECT_TRUE(any_less(numbers.data(), than.data(), count));
      numbers[i] = std::nan("");
      EXPECT_FALSE(any_less(numbers.data(), than.data(), count));
      numbers[i] = 1;
    }
  }
}

}  // namespace
}  // namespace pmjit::pmie
