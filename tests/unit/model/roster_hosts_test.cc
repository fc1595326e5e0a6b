// Rosters of several hosts: their operations are those of sets of (host, instance).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "runtime/model/roster.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

using List = std::vector<int32_t>;
using Parts = std::map<uint32_t, List>;  // of a host

HostId host(uint32_t index) { return HostId{{index}}; }

RosterId intern(Rosters& rosters, const Parts& parts) {
  std::vector<HostRoster> out;
  for (const auto& [index, list] : parts) out.push_back({host(index), rosters.intern(list)});
  return rosters.intern_hosts(out);
}

List random_list(std::mt19937& random) {
  std::set<int32_t> out;
  for (size_t i = random() % 6; i > 0; --i) out.insert(static_cast<int32_t>(random() % 9));
  return {out.begin(), out.end()};
}

Parts random_parts(std::mt19937& random) {
  Parts out;
  out[static_cast<uint32_t>(random() % 4)] = random_list(random);
  for (size_t i = random() % 3; i > 0; --i) {
    out[static_cast<uint32_t>(random() % 4)] = random_list(random);
  }
  return out;
}

using Lane = std::pair<uint32_t, int32_t>;

std::vector<Lane> lanes_of(const Rosters& rosters, RosterId id) {
  std::vector<Lane> out;
  for (const RosterSegment& segment : rosters.segments(id)) {
    EXPECT_EQ(segment.first_lane, out.size());
    EXPECT_EQ(segment.lanes, rosters.size(segment.roster_id));
    for (const int32_t instance : rosters.instances(segment.roster_id)) {
      out.emplace_back(segment.host_id.index, instance);
    }
  }
  EXPECT_EQ(out.size(), rosters.size(id));
  EXPECT_EQ(out.size(), rosters.instances(id).size());
  return out;
}

// A list without hosts, as one of every host of the other.
Parts repeated(const List& list, const Parts& beside) {
  Parts out;
  for (const auto& [index, others] : beside) out[index] = list;
  return out;
}

std::set<Lane> set_of(const Parts& parts) {
  std::set<Lane> out;
  for (const auto& [index, list] : parts) {
    for (const int32_t instance : list) out.emplace(index, instance);
  }
  return out;
}

std::vector<Lane> listed(const std::set<Lane>& set) { return {set.begin(), set.end()}; }

void expect_sets(Rosters& rosters, RosterId a, RosterId b, const Parts& x, const Parts& y) {
  const std::set<Lane> sx = set_of(x), sy = set_of(y);
  std::set<Lane> either = sx, minus, both;
  either.insert(sy.begin(), sy.end());
  for (const Lane& lane : sx) (sy.contains(lane) ? both : minus).insert(lane);
  ASSERT_EQ(lanes_of(rosters, rosters.merge(a, b)), listed(either));
  ASSERT_EQ(lanes_of(rosters, rosters.without(a, b)), listed(minus));
  ASSERT_EQ(lanes_of(rosters, rosters.common(a, b)), listed(both));
}

TEST(HostRosters, EqualListsHaveOneId) {
  Rosters rosters;
  const RosterId a = intern(rosters, {{0, {1, 2}}, {1, {1}}});
  EXPECT_EQ(a, intern(rosters, {{0, {1, 2}}, {1, {1}}}));
  EXPECT_NE(a, intern(rosters, {{0, {1}}, {1, {2, 1}}}));
  EXPECT_NE(a, rosters.intern(List{1, 2, 1}));
  EXPECT_NE(intern(rosters, {{0, {1}}}), intern(rosters, {{1, {1}}}));
  EXPECT_TRUE(rosters.has_hosts(a));
  EXPECT_TRUE(rosters.ascending(a));
  EXPECT_FALSE(rosters.ascending(intern(rosters, {{0, {2, 1}}})));
  EXPECT_EQ(rosters.sorted(intern(rosters, {{0, {2, 1}}, {1, {1, 1}}})), a);
  EXPECT_TRUE(rosters.segments(rosters.intern(List{7})).size() == 1);
  EXPECT_FALSE(rosters.segments(rosters.intern(List{7})).front().host_id.known());
}

TEST(HostRosters, SetOperationsAreThoseOfPairs) {
  std::mt19937 random(6);
  Rosters rosters;
  for (uint32_t round = 0; round < test::turns(3'000); ++round) {
    const Parts x = random_parts(random), y = random_parts(random);
    const RosterId a = intern(rosters, x), b = intern(rosters, y);
    if (a != b) expect_sets(rosters, a, b, x, y);
    List plain = random_list(random);
    plain.push_back(100);  // not the empty one, which is of any hosts
    const RosterId c = rosters.intern(plain);
    expect_sets(rosters, a, c, x, repeated(plain, x));
    expect_sets(rosters, c, a, repeated(plain, x), x);
  }
}

TEST(HostRosters, LanesMeetByHostAndInstance) {
  std::mt19937 random(7);
  Rosters rosters;
  for (uint32_t round = 0; round < test::turns(3'000); ++round) {
    const Parts x = random_parts(random);
    const List plain = random_list(random);
    const bool alone = random() % 2 == 0;
    const Parts y = alone ? repeated(plain, x) : random_parts(random);
    const RosterId to = intern(rosters, x);
    const RosterId from = alone ? rosters.intern(plain) : intern(rosters, y);
    const std::vector<Lane> wanted = lanes_of(rosters, to);
    const Lanes& lanes = rosters.lanes(to, from);
    ASSERT_EQ(lanes.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      int32_t expected = kAbsentLane;
      if (alone) {
        const auto at = std::ranges::find(plain, wanted[i].second);
        if (at != plain.end()) expected = static_cast<int32_t>(at - plain.begin());
      } else {
        const std::vector<Lane> source = lanes_of(rosters, from);
        const auto at = std::ranges::find(source, wanted[i]);
        if (at != source.end()) expected = static_cast<int32_t>(at - source.begin());
      }
      ASSERT_EQ(lanes[i], expected);
    }
  }
}

TEST(HostRosters, SegmentsAreKeptWithTheirRoster) {
  Rosters rosters;
  const RosterId a = intern(rosters, {{0, {1, 2}}, {3, {5}}});
  const RosterId other = rosters.intern(List{8});
  rosters.keep(a);
  rosters.forget_others();
  EXPECT_FALSE(rosters.knows(other));
  EXPECT_EQ(lanes_of(rosters, a), (std::vector<Lane>{{0, 1}, {0, 2}, {3, 5}}));
  EXPECT_EQ(a, intern(rosters, {{0, {1, 2}}, {3, {5}}}));
}

TEST(HostRostersDeathTest, HostsAscend) {
  Rosters rosters;
  const std::vector<HostRoster> twice = {{host(1), Rosters::kSingularId},
                                         {host(1), Rosters::kSingularId}};
  EXPECT_DEATH((void)rosters.intern_hosts(twice), "hosts ascend");
}

}  // namespace
}  // namespace pmjit
