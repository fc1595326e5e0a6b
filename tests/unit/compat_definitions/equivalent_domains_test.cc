// Instance domains that are declared equivalent: what an indom.conf says, and whose metrics meet.
// Source: spec derived-metrics.md §10 check 11, §18.
#include <gtest/gtest.h>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

InDomId indom(std::string_view text) { return indom_from_text(text).value_or(kNullId); }

bool meet(std::string_view config, std::string_view a, std::string_view b) {
  const auto domains = EquivalentDomains::read(config);
  EXPECT_EQ(domains.equivalent(indom(a), indom(b)), domains.equivalent(indom(b), indom(a)));
  return domains.equivalent(indom(a), indom(b));
}

TEST(EquivalentDomains, OfOneLine) {
  constexpr std::string_view kConfig = "# disks\n\n60.1 250.3\t61.*\n  62.1 60.2  # more\n62.*";
  EXPECT_TRUE(meet(kConfig, "60.1", "250.3"));
  EXPECT_TRUE(meet(kConfig, "250.3", "61.17"));
  EXPECT_TRUE(meet(kConfig, "61.1", "61.2"));
  EXPECT_TRUE(meet(kConfig, "62.1", "60.2"));
  EXPECT_TRUE(meet(kConfig, "62.7", "62.8"));
  EXPECT_FALSE(meet(kConfig, "60.1", "60.2"));
  EXPECT_FALSE(meet(kConfig, "60.2", "62.8"));
  EXPECT_FALSE(meet(kConfig, "250.1", "250.3"));
  EXPECT_FALSE(meet("", "1.1", "1.2"));
  EXPECT_FALSE(meet("1.1\n1.2", "1.1", "1.2"));
}

TEST(EquivalentDomains, WhatIsNoDomainIsPassedOver) {
  EXPECT_TRUE(meet("1.1 word 1. *.* 1.x 1.2", "1.1", "1.2"));
  EXPECT_FALSE(meet("*.*", "1.1", "1.2"));
}

TEST(EquivalentDomains, TheirInstancesMeetByIdentifierIn7) {
  World world;
  world.metric("a", "double instant none 1.1").metric("b", "double instant none 1.2");
  world.metric("n", "double instant none");
  const std::string refused = "a + b: Operands should have the same instance domain";
  EXPECT_EQ(said(world, "a + b", k7), refused);
  world.equivalent = EquivalentDomains::read("1.1 1.2");
  EXPECT_EQ(said(world, "a + b", k6), refused);
  EXPECT_EQ(said(world, "a + b", k7), "DOUBLE instant none 1.1");
  EXPECT_EQ(said(world, "b > a", k7), "U32 instant none 1.2");
  EXPECT_EQ(said(world, "n > 0.5 ? a : b", k7),
            "a : b: Different instance domains for ternary operands");
  EXPECT_EQ(value_of(world, "a + b", {{"a", "0:1 1:2 2:3"}, {"b", "2:10 0:20"}}, k7), "0:21 2:13");
}

}  // namespace
}  // namespace pmjit::test
