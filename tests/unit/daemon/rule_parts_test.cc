// Which part of a group's rules evaluates what, and tells of it, through some reloads.
#include "rules/daemon/rule_parts.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

// Rules by their names, each with what makes it what it is: "a1 b1" are the rules a and b.
RuleBlock block_of(const std::vector<std::string>& rules) {
  RuleBlock out;
  for (const std::string& key : rules) {
    const std::string name = key.substr(0, 1);
    out.rules.push_back({.name = name, .alerts = {name}, .keys = {.whole = key}});
    out.names.insert(name);
    out.shapes.emplace(name, key);
  }
  return out;
}

// As a group does it; how many parts there are then.
size_t reload(RuleParts& parts, const RuleBlock& next) {
  if (auto missing = parts.missing(next)) parts.add(*std::move(missing));
  parts.tell(next, parts.staying(next));
  parts.tell(next, next.names);
  (void)parts.drop_silent();
  return parts.size();
}

TEST(RulePartsTest, RulesThatAreTheSameStayInTheirPart) {
  RuleParts parts(block_of({"a1", "b1"}));
  const RuleBlock next = block_of({"a1", "b2", "c1"});
  const auto missing = parts.missing(next);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->names, (RuleNames{"b", "c"}));
  RulePart& added = parts.add(*missing);
  EXPECT_TRUE(added.is_silent());
  EXPECT_FALSE(added.tells_alert("b")) << "until it is adopted";
  EXPECT_EQ(parts.staying(next), RuleNames{"a"});
  parts.tell(next, parts.staying(next));
  EXPECT_TRUE(parts.first().tells("a"));
  EXPECT_FALSE(parts.first().tells("b")) << "nobody tells of it for a moment";
  EXPECT_FALSE(added.tells("b"));
  parts.tell(next, next.names);
  EXPECT_TRUE(added.tells("b"));
  EXPECT_TRUE(added.tells_alert("c"));
  EXPECT_FALSE(parts.first().tells_alert("b"));
  EXPECT_TRUE(parts.drop_silent().empty());
}

TEST(RulePartsTest, ARuleThatIsChangedBackIsInItsOldPart) {
  const RuleBlock before = block_of({"a1", "b1"});
  RuleParts parts(before);
  EXPECT_EQ(reload(parts, block_of({"a1", "b2"})), 2u);
  EXPECT_FALSE(parts.missing(before));
  EXPECT_EQ(reload(parts, before), 1u) << "the other one tells of nothing";
  EXPECT_TRUE(parts.first().tells("b"));
}

TEST(RulePartsTest, NothingIsOpenedWhereRulesAreTakenAway) {
  RuleParts parts(block_of({"a1", "b1"}));
  EXPECT_FALSE(parts.missing(block_of({"b1"})));
  EXPECT_EQ(reload(parts, block_of({"b1"})), 1u);
  EXPECT_FALSE(parts.first().tells_alert("a"));
  EXPECT_EQ(reload(parts, block_of({})), 1u) << "it watches hosts";
  EXPECT_TRUE(parts.first().is_silent());
  EXPECT_EQ(reload(parts, block_of({"c1"})), 1u);
  EXPECT_TRUE(parts.first().tells("c"));
}

// What is not wanted any more costs no more than what is.
TEST(RulePartsTest, AllBeginAnewWhereMostOfWhatIsEvaluatedIsNotWanted) {
  RuleParts parts(block_of({"a1", "b1", "c1", "d1"}));
  EXPECT_FALSE(parts.missing(block_of({"a1", "b1"})));
  EXPECT_EQ(parts.missing(block_of({"a1"}))->names, RuleNames{"a"});
  EXPECT_EQ(parts.missing(block_of({"a1", "b1", "c2"}))->names, RuleNames{"c"});
  EXPECT_EQ(parts.missing(block_of({"a1", "b2", "c2"}))->names, (RuleNames{"b", "c"}));
  EXPECT_EQ(reload(parts, block_of({"a1", "b1", "c2", "d2"})), 2u);
  const RuleBlock next = block_of({"a1", "b2", "c2"});
  EXPECT_EQ(parts.missing(next)->names, next.names);
}

TEST(RulePartsTest, AllBeginAnewWhereWhatIsNotWantedIsDueMoreOften) {
  RuleBlock fast = block_of({"a1", "b1", "c1"});
  fast.rules[2].delta = 1;
  RuleParts parts(fast);
  const RuleBlock next = block_of({"a1", "b1"});
  EXPECT_EQ(parts.missing(next)->names, next.names);
  EXPECT_EQ(reload(parts, next), 1u);
  EXPECT_EQ(parts.first().rules().names, next.names);
}

TEST(RulePartsTest, WhereNoRuleIsTheSameOneIsLeft) {
  RuleParts parts(block_of({"a1"}));
  EXPECT_EQ(reload(parts, block_of({"a2"})), 1u);
  EXPECT_EQ(parts.first().rules().rules.front().keys.whole, "a2");
}

TEST(RulePartsTest, AllBeginAnewWhereThereWouldBeTooMany) {
  RuleParts parts(block_of({"a1", "b1", "c1", "d1"}));
  EXPECT_EQ(reload(parts, block_of({"a1", "b1", "c1", "d2"})), 2u);
  EXPECT_EQ(reload(parts, block_of({"a1", "b1", "c2", "d2"})), RuleParts::kMost);
  const RuleBlock next = block_of({"a1", "b2", "c2", "d2"});
  EXPECT_EQ(parts.missing(next)->names, next.names);
  EXPECT_EQ(reload(parts, next), 1u);
  EXPECT_TRUE(parts.first().tells("a"));
  EXPECT_EQ(parts.first().rules().names, next.names);
  // Had `a` not been the only one of its part, there would have been room.
  EXPECT_EQ(reload(parts, block_of({"a1", "b2", "c2", "d3"})), 2u);
}

TEST(RulePartsTest, PartsThatGoAreNamedFromTheLastOne) {
  RuleParts parts(block_of({"a1", "b1"}));
  EXPECT_EQ(reload(parts, block_of({"a1", "b2"})), 2u);
  const RuleBlock next = block_of({"a2", "b3"});
  parts.add(*parts.missing(next));
  parts.tell(next, next.names);
  EXPECT_EQ(parts.drop_silent(), (std::vector<size_t>{1, 0}));
  EXPECT_EQ(parts.first().rules().names, next.names);
}

}  // namespace
}  // namespace pmjit
