// Operands that are logged together share their intervals, and each has those it would have alone.
#include "runtime/exec/shared_intervals.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace pmjit {
namespace {

constexpr uint32_t kOperands = 9;

// What record `k` carries: groups of two sources, sometimes without one of their operands.
std::vector<uint32_t> carried_by(std::mt19937& random, uint32_t source) {
  std::vector<uint32_t> out;
  const uint32_t group = random() % 2;
  for (uint32_t i = source; i < kOperands; i += 2) {
    if (i / 2 % 2 == group && random() % 50 != 0) out.push_back(i);
  }
  return out;
}

TEST(SharedIntervals, EachOperandHasItsOwn) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> source_of;
    for (uint32_t i = 0; i < kOperands; ++i) source_of.push_back(i % 2);
    SharedIntervals shared(kOperands, source_of, 2);
    std::vector<Intervals> alone(kOperands);
    for (int k = 0; k < 300; ++k) {
      const uint32_t source = random() % 2;
      if (random() % 40 == 0) {
        shared.start_segment(source);
        for (uint32_t i = source; i < kOperands; i += 2) alone[i].start_segment();
      }
      const Stamp stamp{10 * k, static_cast<int32_t>(random() % 1000)};
      const auto carried = carried_by(random, source);
      shared.update(carried, stamp);
      for (const uint32_t operand : carried) alone[operand].update(stamp);
      std::optional<Nanos> shortest;
      for (uint32_t i = 0; i < kOperands; ++i) {
        const auto interval = alone[i].interval();
        ASSERT_EQ(shared.of(i).interval().has_value(), interval.has_value()) << seed << " " << k;
        if (!interval) continue;
        ASSERT_TRUE(*shared.of(i).interval() == *interval) << seed << " " << k;
        shortest = shortest ? std::min(*shortest, *interval) : *interval;
      }
      ASSERT_EQ(shared.shortest().has_value(), shortest.has_value());
      if (shortest) {
        ASSERT_TRUE(*shared.shortest() == *shortest);
      }
    }
  }
}

TEST(SharedIntervals, OfOneSource) {
  SharedIntervals shared(3, {}, 1);
  const std::vector<uint32_t> all{0, 1, 2}, one{1};
  for (int k = 0; k < 4; ++k) shared.update(all, {10 * k, 0});
  for (int k = 0; k < 9; ++k) shared.update(one, {30 + 2 * k, 0});
  EXPECT_TRUE(*shared.of(0).interval() == 10'000'000'000);
  EXPECT_TRUE(*shared.of(1).interval() == 2'000'000'000);
  EXPECT_TRUE(*shared.shortest() == 2'000'000'000);
}

}  // namespace
}  // namespace pmjit
