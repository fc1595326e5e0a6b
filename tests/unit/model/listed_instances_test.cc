// ListedInstances: lists that change a little at a time, against a look at every instance.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/model/described_metrics.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

constexpr InDomId kDisks = 7;
constexpr int32_t kListed = 40;  // instances below are

TEST(ListedInstances, FindsTheFirstThatIsNotListed) {
  std::mt19937 random(3);
  ListedInstances listed([](InDomId indom, int32_t i) { return indom == kDisks && i < kListed; });
  std::vector<int32_t> list;
  for (uint32_t round = 0; round < test::turns(20'000); ++round) {
    const auto place = [&] { return list.begin() + static_cast<int>(random() % list.size()); };
    if (list.size() < 3 || random() % 3 == 0) {
      list.insert(list.empty() ? list.begin() : place(), static_cast<int32_t>(random() % 41));
    } else if (random() % 2 == 0) {
      list.erase(place());
    } else {
      *place() = static_cast<int32_t>(random() % 42);
    }
    const auto first = std::ranges::find_if(list, [](int32_t i) { return i >= kListed; });
    const auto found = listed.stranger(kDisks, list);
    ASSERT_EQ(found.has_value(), first != list.end());
    if (found) {
      ASSERT_EQ(*found, *first);
    }
    if (found && random() % 2 == 0) std::erase_if(list, [](int32_t i) { return i >= kListed; });
  }
}

// What stands in the last list is not asked for again.
TEST(ListedInstances, AsksForThoseThatCameOnly) {
  int asked = 0;
  ListedInstances listed([&](InDomId, int32_t) { return ++asked > 0; });
  std::vector<int32_t> list(1'000);
  std::iota(list.begin(), list.end(), 0);
  EXPECT_EQ(listed.stranger(kDisks, list), std::nullopt);
  EXPECT_EQ(asked, 1'000);
  list[100] = 2'000;                       // in the place of one
  list.erase(list.begin() + 300);          // one that goes
  list.insert(list.begin() + 500, 2'001);  // one that comes
  EXPECT_EQ(listed.stranger(kDisks, list), std::nullopt);
  EXPECT_EQ(asked, 1'002);
  EXPECT_EQ(listed.stranger(kDisks, list), std::nullopt);
  EXPECT_EQ(asked, 1'002);
}

}  // namespace
}  // namespace pmjit
