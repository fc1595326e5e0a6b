// Rosters: interning, and set operations against std::set on random lists.
#include "runtime/model/roster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "runtime/model/desc.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

using List = std::vector<int32_t>;

List list_of(const Rosters& rosters, RosterId id) {
  const auto span = rosters.instances(id);
  return {span.begin(), span.end()};
}

List random_list(std::mt19937& random, bool ascending) {
  List out;
  const size_t count = random() % 12;
  for (size_t i = 0; i < count; ++i) out.push_back(static_cast<int32_t>(random() % 20) - 3);
  if (ascending) {
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
  }
  return out;
}

TEST(Rosters, TheTwoThatAreAlwaysThere) {
  Rosters rosters;
  EXPECT_EQ(list_of(rosters, Rosters::kSingularId), List{kSingular});
  EXPECT_EQ(list_of(rosters, Rosters::kNobodyId), List{});
  EXPECT_EQ(rosters.intern(List{kSingular}), Rosters::kSingularId);
  EXPECT_EQ(rosters.intern(List{}), Rosters::kNobodyId);
}

TEST(Rosters, OrderAndDuplicatesAreMeaning) {
  Rosters rosters;
  const RosterId up = rosters.intern(List{1, 2}), down = rosters.intern(List{2, 1});
  const RosterId twice = rosters.intern(List{1, 1, 2});
  EXPECT_NE(up, down);
  EXPECT_NE(up, twice);
  EXPECT_EQ(rosters.intern(List{1, 2}), up);
  EXPECT_TRUE(rosters.ascending(up));
  EXPECT_FALSE(rosters.ascending(down));
  EXPECT_FALSE(rosters.ascending(twice));
  EXPECT_EQ(rosters.sorted(down), up);
  EXPECT_EQ(rosters.sorted(twice), up);
}

TEST(Rosters, JoinFindsTheFirstLaneOfAnInstance) {
  std::mt19937 random(4);
  Rosters rosters;
  for (uint32_t round = 0; round < test::turns(5'000); ++round) {
    const List to = random_list(random, false), from = random_list(random, false);
    const Lanes& lanes = rosters.lanes(rosters.intern(to), rosters.intern(from));
    ASSERT_EQ(lanes.size(), to.size());
    for (size_t i = 0; i < to.size(); ++i) {
      const auto at = std::ranges::find(from, to[i]);
      const auto expected =
          at == from.end() ? kAbsentLane : static_cast<int32_t>(at - from.begin());
      ASSERT_EQ(lanes[i], expected);
    }
  }
}

TEST(Rosters, JoinsStayWhereTheyAre) {
  Rosters rosters;
  const RosterId a = rosters.intern(List{1, 2, 3});
  const Lanes& kept = rosters.lanes(a, a);
  for (int32_t i = 0; i < 1'000; ++i) (void)rosters.lanes(rosters.intern(List{i, i + 7}), a);
  EXPECT_EQ(kept, (Lanes{0, 1, 2}));
}

TEST(Rosters, SetOperationsAreThoseOfSets) {
  std::mt19937 random(5);
  Rosters rosters;
  for (uint32_t round = 0; round < test::turns(5'000); ++round) {
    const List x = random_list(random, true), y = random_list(random, true);
    const RosterId a = rosters.intern(x), b = rosters.intern(y);
    const std::set<int32_t> sx(x.begin(), x.end()), sy(y.begin(), y.end());
    std::set<int32_t> either = sx, minus, both;
    either.insert(sy.begin(), sy.end());
    for (int32_t i : sx) (sy.contains(i) ? both : minus).insert(i);
    ASSERT_EQ(list_of(rosters, rosters.merge(a, b)), List(either.begin(), either.end()));
    ASSERT_EQ(list_of(rosters, rosters.without(a, b)), List(minus.begin(), minus.end()));
    ASSERT_EQ(list_of(rosters, rosters.common(a, b)), List(both.begin(), both.end()));
  }
}

TEST(Rosters, WhatIsNotKeptIsForgotten) {
  Rosters rosters;
  const RosterId a = rosters.intern(List{1, 2, 3}), b = rosters.intern(List{2, 3});
  EXPECT_EQ(rosters.common(a, b), b);
  rosters.keep(a);
  rosters.forget_others();
  EXPECT_TRUE(rosters.knows(a));
  EXPECT_FALSE(rosters.knows(b));
  EXPECT_TRUE(rosters.knows(Rosters::kSingularId));
  EXPECT_TRUE(rosters.knows(Rosters::kNobodyId));
  EXPECT_EQ(list_of(rosters, a), (List{1, 2, 3}));
  EXPECT_EQ(rosters.intern(List{1, 2, 3}), a);
  const RosterId again = rosters.intern(List{2, 3});
  EXPECT_NE(again, b);  // nor is what stands in its place
  EXPECT_FALSE(rosters.knows(b));
  EXPECT_EQ(rosters.common(a, again), again);
  rosters.keep(b);  // nothing
  rosters.forget_others();
  EXPECT_FALSE(rosters.knows(a));
  EXPECT_FALSE(rosters.knows(RosterId{}));
}

TEST(RostersDeathTest, AForgottenOneIsNotUsed) {
  Rosters rosters;
  const RosterId a = rosters.intern(List{1, 2, 3});
  rosters.forget_others();
  EXPECT_DEATH((void)rosters.instances(a), "forgotten");
}

TEST(Rosters, MemoryOfThoseThatPassIsBounded) {
  Rosters rosters;
  List list(10'000);
  std::iota(list.begin(), list.end(), 0);
  const RosterId kept = rosters.intern(list);
  size_t sweeps = 0;
  for (int32_t i = 0; i < 2'000; ++i) {
    list[static_cast<size_t>(i)] += 100'000;
    (void)rosters.join(rosters.sorted(rosters.intern(list)), kept);
    if (!rosters.crowded()) continue;
    rosters.keep(kept);
    rosters.forget_others();
    ASSERT_FALSE(rosters.crowded());
    ++sweeps;
  }
  EXPECT_GT(sweeps, 10u);
}

TEST(Rosters, ExtremeIdentifiers) {
  Rosters rosters;
  const RosterId a = rosters.intern(List{INT32_MIN, -1, 0, INT32_MAX});
  EXPECT_TRUE(rosters.ascending(a));
  EXPECT_EQ(rosters.size(a), 4u);
  EXPECT_EQ(list_of(rosters, rosters.common(a, rosters.intern(List{INT32_MAX}))), List{INT32_MAX});
}

}  // namespace
}  // namespace pmjit
