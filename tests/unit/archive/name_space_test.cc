// Names as a tree: which are taken, and in which order they are listed (seen with the real tools).
#include "runtime/archive/reader/name_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace pmjit {
namespace {

std::string leaves(const NameSpace& names, std::string_view of) {
  const auto found = names.leaves(of);
  if (!found) return "none";
  std::string out;
  for (const auto& leaf : *found) out.append(leaf.name).append(" ");
  return out;
}

std::string children(const NameSpace& names, std::string_view of) {
  std::string out;
  for (const auto& child : names.children(of).value_or(std::vector<NameSpace::Child>{})) {
    out.append(child.name).append(child.leaf ? " " : "/ ");
  }
  return out;
}

TEST(NameSpace, NewestFirst) {
  NameSpace names;
  for (const char* name : {"x.y.b", "x.a", "x.y.a", "w"}) EXPECT_TRUE(names.add(name, 1));
  EXPECT_EQ(leaves(names, ""), "w x.a x.y.a x.y.b ");
  EXPECT_EQ(leaves(names, "x.y"), "x.y.a x.y.b ");
  EXPECT_EQ(leaves(names, "x.a"), "x.a ");
  EXPECT_EQ(leaves(names, "x.y.c"), "none");
  EXPECT_EQ(children(names, ""), "w x/ ");
  EXPECT_EQ(children(names, "x"), "a y/ ");
  EXPECT_EQ(children(names, "w"), "");
  EXPECT_EQ(fmt::format("{}", fmt::join(names.names(1), " ")), "x.y.b x.y.a x.a w");
}

TEST(NameSpace, NamesThatAreTaken) {
  NameSpace names;
  EXPECT_TRUE(names.add("a.b", 1));
  EXPECT_TRUE(names.add("a.b", 1));
  EXPECT_FALSE(names.add("a.b", 2));
  EXPECT_FALSE(names.add("a", 2));
  EXPECT_FALSE(names.add("", 2));
  EXPECT_TRUE(names.names(2).empty());
  EXPECT_EQ(names.find("a.b"), 1u);
  EXPECT_EQ(names.look_up("a"), std::unexpected(pm_err::E_NONLEAF));
  EXPECT_EQ(names.look_up("b"), std::unexpected(pm_err::E_NAME));
  EXPECT_EQ(names.look_up(""), std::unexpected(pm_err::E_NAME));
  EXPECT_EQ(names.leaves().size(), 1u);
}

TEST(NameSpace, AMetricWithNamesBelowItHasItsNameButIsNoLeaf) {
  NameSpace names;
  for (const char* name : {"p", "p.q", "p.q.t"}) EXPECT_TRUE(names.add(name, 1));
  EXPECT_EQ(leaves(names, ""), "p.q.t ");
  EXPECT_EQ(children(names, ""), "p/ ");
  EXPECT_EQ(fmt::format("{}", fmt::join(names.names(1), " ")), "p.q.t p.q p");
  EXPECT_EQ(names.look_up("p"), std::unexpected(pm_err::E_NONLEAF));
}

TEST(NameSpace, MergedNamesComeAfterOurs) {
  NameSpace ours, theirs;
  ours.add("a.x", 1);
  for (const auto& [name, pmid] : {std::pair{"a.y", 2u}, {"a.x", 3u}, {"b", 3u}}) {
    theirs.add(name, pmid);
  }
  ours.merge(theirs);
  EXPECT_EQ(leaves(ours, ""), "b a.y a.x ");
  EXPECT_EQ(ours.find("a.x"), 1u);
}

TEST(NameSpace, DeepNamesTakeTimeByTheirLength) {
  std::string deep = "a";
  for (int i = 0; i < 200'000; ++i) deep += ".a";
  NameSpace names;
  EXPECT_TRUE(names.add(deep, 1));
  EXPECT_EQ(names.find(deep), 1u);
  EXPECT_EQ(names.leaves().size(), 1u);
}

}  // namespace
}  // namespace pmjit
