// Names as a tree.
#include "agent/collector/name_space_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pmjit {
namespace {

NameSpaceTree some_names() {
  NameSpaceTree names;
  EXPECT_TRUE(names.add("a.b.c", 1));
  EXPECT_TRUE(names.add("a.b.d", 2));
  EXPECT_TRUE(names.add("a.e", 3));
  EXPECT_TRUE(names.add("f", 3));
  return names;
}

TEST(NameSpaceTree, LooksUpLeavesOnly) {
  const NameSpaceTree names = some_names();
  EXPECT_EQ(names.lookup("a.b.d").value(), 2u);
  EXPECT_EQ(names.lookup("f").value(), 3u);
  EXPECT_EQ(names.lookup("a.b").error(), pm_err::E_NONLEAF);
  for (const char* wrong : {"", "a.b.", ".a", "a.b.c.x", "a.b.x", "root", "a..e"}) {
    EXPECT_EQ(names.lookup(wrong).error(), pm_err::E_NAME) << wrong;
  }
}

TEST(NameSpaceTree, HasEveryNameOfAMetric) {
  const NameSpaceTree names = some_names();
  auto found = names.names_of(3);
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<std::string_view>{"a.e", "f"}));
  EXPECT_TRUE(names.names_of(9).empty());
}

TEST(NameSpaceTree, TellsWhatIsBelow) {
  const NameSpaceTree names = some_names();
  const auto of_root = names.children("").value();
  ASSERT_EQ(of_root.size(), 2u);
  EXPECT_EQ(of_root[0].name, "a");
  EXPECT_FALSE(of_root[0].leaf);
  EXPECT_TRUE(of_root[1].leaf);
  EXPECT_EQ(names.children("a.b").value()[1].name, "d");
  EXPECT_TRUE(names.children("f").value().empty());
  EXPECT_EQ(names.children("x").error(), pm_err::E_NAME);
  EXPECT_EQ(names.leaves("a").value(), (std::vector<std::string_view>{"a.b.c", "a.b.d", "a.e"}));
  EXPECT_EQ(names.leaves("f").value(), (std::vector<std::string_view>{"f"}));
  EXPECT_EQ(names.leaves("").value().size(), 4u);
  EXPECT_EQ(names.leaves("a.").error(), pm_err::E_NAME);
}

TEST(NameSpaceTree, RefusesNamesThatCannotBe) {
  NameSpaceTree names = some_names();
  for (const char* wrong : {"", "a.b.c", "a.b", "a.e.f", ".x", "x.", "x..y"}) {
    EXPECT_FALSE(names.add(wrong, 5)) << wrong;
  }
  EXPECT_EQ(names.size(), 4u);
}

}  // namespace
}  // namespace pmjit
