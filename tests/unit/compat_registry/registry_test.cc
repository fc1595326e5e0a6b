// Names and identifiers of derived metrics. Source: spec derived-metrics.md §7.1, §8.1.
#include "compiler/compat/registry/registry.h"

#include <gtest/gtest.h>

#include <string>

namespace pmjit {
namespace {

TEST(Registry, TwoMetricsAreAlwaysThere) {
  const Registry registry(Dialect::pcp6);
  ASSERT_EQ(registry.metrics().size(), 2u);
  EXPECT_EQ(registry.metrics()[0].name, "event.flags");
  EXPECT_EQ(pmid_text(registry.metrics()[0].pmid), "511.0.1");
  EXPECT_EQ(registry.metrics()[1].name, "event.missed");
  EXPECT_EQ(pmid_text(registry.metrics()[1].pmid), "511.0.2");
  EXPECT_EQ(registry.metrics()[0].one_line, "Flags for event records");
  EXPECT_EQ(registry.metrics()[1].one_line, "Count of missed event records");
}

TEST(Registry, IdentifiersPassFromOneClusterToTheNext) {
  Registry registry(Dialect::pcp6);
  for (int i = 0; i < 2100; ++i) ASSERT_FALSE(registry.add("m" + std::to_string(i), "1"));
  EXPECT_EQ(pmid_text(registry.find("m0")->pmid), "511.0.3");
  EXPECT_EQ(pmid_text(registry.find("m1020")->pmid), "511.0.1023");
  EXPECT_EQ(pmid_text(registry.find("m1021")->pmid), "511.1.1");
  EXPECT_EQ(pmid_text(registry.find("m2044")->pmid), "511.2.1");
  for (const DerivedMetric& metric : registry.metrics()) {
    EXPECT_EQ(registry.find(metric.pmid), &metric);
    EXPECT_EQ(registry.find(metric.name), &metric);
  }
}

TEST(Registry, OtherIdentifiersAreNoDerivedMetrics) {
  Registry registry(Dialect::pcp6);
  ASSERT_FALSE(registry.add("m", "1"));
  constexpr PmId kBase = 511u << 22;
  EXPECT_NE(registry.find(kBase | 3), nullptr);
  EXPECT_EQ(registry.find(kBase | 4), nullptr);
  EXPECT_EQ(registry.find(kBase), nullptr);
  EXPECT_EQ(registry.find(kBase | 1u << 10), nullptr);
  EXPECT_EQ(registry.find(kBase | 2048u << 10 | 3), nullptr);
  EXPECT_EQ(registry.find((510u << 22) | 3), nullptr);
  EXPECT_EQ(registry.find(kNullId), nullptr);
}

TEST(Registry, WhatIsRefusedTakesNoIdentifier) {
  Registry registry(Dialect::pcp6);
  EXPECT_EQ(registry.add("m", "1 +")->offset, 2);
  EXPECT_EQ(registry.find("m"), nullptr);
  EXPECT_FALSE(registry.add("m", "1"));
  EXPECT_EQ(registry.add("m", "2 +")->message, "Duplicate global derived metric name");
  EXPECT_EQ(registry.add("m", "2 +")->offset, 0);
  EXPECT_FALSE(registry.add("n", "1"));
  EXPECT_EQ(pmid_text(registry.find("n")->pmid), "511.0.4");
}

TEST(Registry, TheLimitIsOfOwnMetricsAndComesFirst) {
  Registry registry(Dialect::pcp7);
  registry.limit = 2;
  EXPECT_FALSE(registry.add("a", "1"));
  EXPECT_FALSE(registry.add("b", "1"));
  EXPECT_EQ(registry.add("a", "+")->message, "Too many global derived metrics");
  EXPECT_EQ(registry.add("c", "1")->message, "Too many global derived metrics");
  registry.limit = -1;
  EXPECT_FALSE(registry.add("c", "1"));
}

// Defect 11 passes from one definition to the next.
TEST(Registry, AFailedMatchinstIsRemembered) {
  Registry registry(Dialect::pcp6);
  EXPECT_TRUE(registry.add("a", "matchinst(/x/, b"));
  EXPECT_EQ(registry.add("c", "d / e")->message, "unterminated pattern");
  EXPECT_FALSE(registry.add("f", "matchinst(/x/, b)"));
  EXPECT_FALSE(registry.add("c", "d / e"));
}

TEST(Registry, TextsAreAddedLater) {
  Registry registry(Dialect::pcp6);
  EXPECT_EQ(registry.find_to_change("a"), nullptr);
  ASSERT_FALSE(registry.add("a", "1"));
  registry.find_to_change("a")->help = "text";
  EXPECT_EQ(registry.find("a")->help, "text");
  EXPECT_EQ(registry.find("a")->one_line, std::nullopt);
}

}  // namespace
}  // namespace pmjit
