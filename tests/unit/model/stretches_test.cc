// Stretches: orders, walks and look-ups against what the standard library says of random lists.
#include "runtime/model/roster.h"
#include "tests/unit/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace pmjit {
namespace {

using List = std::vector<int32_t>;

// A few values between `least` and `least + among`, many of them side by side.
List random_list(std::mt19937& random, size_t most, int among) {
  List out;
  const size_t count = random() % (most + 1);
  while (out.size() < count) {
    auto next = static_cast<int32_t>(random() % static_cast<uint32_t>(among)) - among / 2;
    for (size_t run = 1 + random() % 9; run > 0 && out.size() < count; --run) out.push_back(next++);
  }
  return out;
}

List ascending(List list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
  return list;
}

TEST(Stretches, AnOrderHasTheFirstLaneOfEveryInstance) {
  std::mt19937 random(1);
  for (uint32_t round = 0; round < test::turns(20'000); ++round) {
    const List list = random_list(random, 1 + random() % 80, 40);
    std::map<int32_t, uint32_t> first;
    for (uint32_t lane = 0; lane < list.size(); ++lane) first.try_emplace(list[lane], lane);
    const Stretches order = ascending_order(list);
    List lanes;
    for (const Stretch& stretch : order) {
      ASSERT_EQ(stretch.to, lanes.size());
      ASSERT_GT(stretch.count, 0u);
      for (uint32_t i = 0; i < stretch.count; ++i) {
        lanes.push_back(static_cast<int32_t>(stretch.from + i));
      }
    }
    List expected;
    for (const auto& [instance, lane] : first) expected.push_back(static_cast<int32_t>(lane));
    ASSERT_EQ(lanes, expected) << ::testing::PrintToString(list);
  }
}

TEST(Stretches, ExtremeIdentifiersAreInOrder) {
  const List list = {INT32_MAX, INT32_MIN, INT32_MAX, 0, INT32_MIN};
  EXPECT_EQ(ascending_order(list), (Stretches{{0, 1, 1}, {1, 3, 1}, {2, 0, 1}}));
  EXPECT_TRUE(ascending_order({}).empty());
}

TEST(Stretches, AWalkSeesEveryInstanceOnce) {
  std::mt19937 random(2);
  for (uint32_t round = 0; round < test::turns(20'000); ++round) {
    const List x = ascending(random_list(random, 300, 400));
    List y = x;
    for (size_t i = random() % 4; i > 0 && !y.empty(); --i) {
      y.erase(y.begin() + static_cast<std::ptrdiff_t>(random() % y.size()));
    }
    if (random() % 2 == 0) y = ascending(random_list(random, 300, 400));
    List both, in_x, in_y;
    walk_both(
        x, y,
        [&](size_t i, size_t k, size_t count) {
          ASSERT_GT(count, 0u);
          ASSERT_TRUE(std::equal(x.begin() + static_cast<std::ptrdiff_t>(i),
                                 x.begin() + static_cast<std::ptrdiff_t>(i + count),
                                 y.begin() + static_cast<std::ptrdiff_t>(k)));
          for (size_t n = 0; n < count; ++n) both.push_back(x[i + n]);
        },
        [&](size_t i, size_t count) {
          for (size_t n = 0; n < count; ++n) in_x.push_back(x[i + n]);
        },
        [&](size_t k, size_t count) {
          for (size_t n = 0; n < count; ++n) in_y.push_back(y[k + n]);
        });
    List expected;
    std::ranges::set_intersection(x, y, std::back_inserter(expected));
    ASSERT_EQ(both, expected);
    expected.clear();
    std::ranges::set_difference(x, y, std::back_inserter(expected));
    ASSERT_EQ(in_x, expected);
    expected.clear();
    std::ranges::set_difference(y, x, std::back_inserter(expected));
    ASSERT_EQ(in_y, expected);
  }
}

TEST(Stretches, AnAscentEndsWhereAValueIsNotGreater) {
  std::mt19937 random(3);
  for (uint32_t round = 0; round < test::turns(20'000); ++round) {
    const List list = random_list(random, 100, 1'000);
    for (size_t from = 0; from < list.size(); from += 1 + random() % 20) {
      size_t expected = from + 1;
      while (expected < list.size() && list[expected] > list[expected - 1]) ++expected;
      ASSERT_EQ(ascent_end(list, from), expected);
    }
  }
  EXPECT_EQ(ascent_end({}, 0), 0u);
}

}  // namespace
}  // namespace pmjit
