// Which rules are covered: those that fire in one test and are silent in another.
#include "rules/testing/reports.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

RuleTestOutcome seen(std::vector<RuleSeen> rules) { return {.rules = std::move(rules)}; }

TEST(Coverage, WantsARuleToFireAndToBeSilent) {
  const std::vector<RuleTestOutcome> outcomes = {
      seen({{.file = "a", .name = "both", .was_true = true, .was_false = true},
            {.file = "a", .name = "fires", .was_true = true, .was_false = true},
            {.file = "a", .name = "silent", .was_false = true},
            {.file = "a", .name = "unknown"},
            {.file = "", .name = "in the test", .was_true = true}}),
      seen({{.file = "a", .name = "both", .was_false = true}})};
  const auto rules = coverage_of(outcomes);
  ASSERT_EQ(rules.size(), 4u);
  EXPECT_EQ(rules[0].rule, "both");
  EXPECT_TRUE(rules[0].covered());
  EXPECT_EQ(rules[0].fires, 1u);
  EXPECT_EQ(rules[0].silent, 1u);
  EXPECT_EQ(rules[1].silent, 0u);  // false before it fired is not silent
  EXPECT_FALSE(rules[1].covered());
  EXPECT_FALSE(rules[2].covered());
  EXPECT_EQ(rules[3].silent, 0u);
}

TEST(Coverage, KnowsRulesByTheirFileToo) {
  const std::vector<RuleTestOutcome> outcomes = {
      seen({{.file = "a", .name = "r"}, {.file = "b", .name = "r"}})};
  EXPECT_EQ(coverage_of(outcomes).size(), 2u);
}

}  // namespace
}  // namespace pmjit
