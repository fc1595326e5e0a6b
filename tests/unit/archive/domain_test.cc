// Instance sets over time: spec archives.md §6.2, §6.3, §6.6.
#include "runtime/archive/reader/domain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace pmjit {
namespace {

Domain three_sets() {
  Domain domain;
  domain.replace({.sec = 10}, {{.id = 1, .name = "a"}, {.id = 2, .name = "b"}});
  EXPECT_TRUE(domain.change({.sec = 20}, {{.id = 1, .gone = true}, {.id = 3, .name = "c"}}));
  domain.replace({.sec = 30}, {{.id = 1, .name = "again"}, {.id = 3, .name = "c"}});
  return domain;
}

TEST(Domain, NamesAsOfATime) {
  const Domain domain = three_sets();
  EXPECT_EQ(domain.name(1, {.sec = 9}), std::nullopt);
  EXPECT_EQ(domain.name(1, {.sec = 10}), "a");
  EXPECT_EQ(domain.name(1, {.sec = 19, .nsec = 999}), "a");
  EXPECT_EQ(domain.name(1, {.sec = 20}), std::nullopt);
  EXPECT_EQ(domain.name(1, {.sec = 40}), "again");
  EXPECT_EQ(domain.name(2, {.sec = 25}), "b");
  EXPECT_EQ(domain.name(2, {.sec = 30}), std::nullopt);
  EXPECT_EQ(domain.name(3, {.sec = 10}), std::nullopt);
  EXPECT_EQ(domain.name(3, {.sec = 30}), "c");
  EXPECT_EQ(domain.name(4, {.sec = 30}), std::nullopt);

  EXPECT_EQ(domain.held_name(1, {.sec = 9}), std::nullopt);
  EXPECT_EQ(domain.held_name(1, {.sec = 20}), "a");
  EXPECT_EQ(domain.held_name(1, {.sec = 40}), "again");
  EXPECT_EQ(domain.held_name(2, {.sec = 30}), "b");
  EXPECT_EQ(domain.held_name(4, {.sec = 30}), std::nullopt);
  for (int64_t from = 0; from <= 60; from += 5) {
    for (int64_t to = from; to <= 60; to += 5) {
      const auto changed = domain.changed_between({.sec = from}, {.sec = to});
      EXPECT_TRUE(std::ranges::is_sorted(changed));
      for (const int32_t id : {1, 2, 3, 4}) {
        if (std::ranges::binary_search(changed, id)) continue;
        EXPECT_EQ(domain.name(id, {.sec = from}), domain.name(id, {.sec = to}));
        EXPECT_EQ(domain.held_name(id, {.sec = from}), domain.held_name(id, {.sec = to}));
      }
    }
  }
  EXPECT_TRUE(domain.changed_between({.sec = 100}, {.sec = 200}).empty());
}

TEST(Domain, TheUnionHasTheNewestNames) {
  const auto all = three_sets().all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "again");
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[2].id, 3);
}

TEST(Domain, OfSetsWithOneStampTheLaterCounts) {
  Domain domain;
  domain.replace({.sec = 1}, {{.id = 1, .name = "first"}});
  domain.replace({.sec = 1}, {{.id = 1, .name = "second"}});
  EXPECT_EQ(domain.name(1, {.sec = 1}), "second");
}

TEST(Domain, ChangesThatDoNotFit) {
  Domain empty;
  EXPECT_FALSE(empty.change({.sec = 1}, {{.id = 1, .name = "a"}}));
  Domain domain = three_sets();
  EXPECT_FALSE(domain.change({.sec = 40}, {{.id = 9, .gone = true}}));
}

TEST(Domain, AnAddedInstanceThatIsThereKeepsItsName) {
  Domain domain = three_sets();
  EXPECT_TRUE(domain.change({.sec = 40}, {{.id = 3, .name = "other"}}));
  EXPECT_EQ(domain.name(3, {.sec = 40}), "c");
}

std::string sets_text(const Domain& domain) {
  std::string out;
  for (SetWalk walk(domain); walk.next();) {
    out += fmt::format("@{} ", walk.stamp().sec);
    for (const NamedInstance& one : walk.instances())
      out += fmt::format("{}={} ", one.id, one.name);
  }
  return out;
}

TEST(Domain, SetsOneAfterTheOther) {
  EXPECT_EQ(sets_text(three_sets()), "@10 1=a 2=b @20 2=b 3=c @30 1=again 3=c ");
}

TEST(Domain, LookUpsAtATime) {
  const Domain domain = three_sets();
  EXPECT_EQ(domain.instances_at({.sec = 9}), std::unexpected(pm_err::E_INDOM_LOG));
  EXPECT_EQ(domain.instances_at({.sec = 20})->size(), 2u);
  EXPECT_EQ(domain.id_at("c", {.sec = 20}), 3);
  EXPECT_EQ(domain.id_at("a", {.sec = 20}), std::unexpected(pm_err::E_INST_LOG));
  EXPECT_EQ(domain.name_at(2, {.sec = 9}), std::unexpected(pm_err::E_INDOM_LOG));
  EXPECT_EQ(domain.name_at(1, {.sec = 20}), std::unexpected(pm_err::E_INST_LOG));
}

TEST(Domain, LookUpsOverAllTimes) {
  const Domain domain = three_sets();
  std::string listed;
  for (const auto& one : domain.instances_ever()) listed += fmt::format("{}={} ", one.id, one.name);
  EXPECT_EQ(listed, "1=again 3=c 2=b ");  // of the newest set first
  EXPECT_EQ(domain.id_ever("a"), 1);
  EXPECT_EQ(domain.name_ever(2), "b");
  EXPECT_EQ(domain.name_ever(7), std::unexpected(pm_err::E_INST_LOG));
  EXPECT_EQ(domain.birth(3), (Stamp{.sec = 20}));
  EXPECT_EQ(domain.death(2), (Stamp{.sec = 30}));
  EXPECT_EQ(domain.death(1), std::nullopt);
}

// A name with a blank is known by its first word, and a longer query is compared no further.
TEST(Domain, FirstWords) {
  Domain domain;
  domain.replace({.sec = 1}, {{.id = 1, .name = "i1 one"}, {.id = 2, .name = "i1"}});
  domain.replace({.sec = 2}, {{.id = 3, .name = "i1 three"}});
  EXPECT_EQ(domain.id_at("i1", {.sec = 1}), 2);
  EXPECT_EQ(domain.id_at("i1zz", {.sec = 1}), 1);
  EXPECT_EQ(domain.id_at("i", {.sec = 1}), std::unexpected(pm_err::E_INST_LOG));
  EXPECT_EQ(domain.id_ever("i1"), 3);  // by first word in a newer set before in full in an older
  EXPECT_EQ(domain.largest_set(), 2u);
}

}  // namespace
}  // namespace pmjit
