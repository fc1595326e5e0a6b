// Instance sets over time: spec archives.md §6.2, §6.3, §6.6.
#include "runtime/archive/reader/domain.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pmjit
