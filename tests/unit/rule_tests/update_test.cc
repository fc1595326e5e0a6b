// What --update writes: the bodies of expectations, and nothing else.
#include "rules/testing/compare.h"

#include "tests/unit/rule_tests/texts.h"

namespace pmjit {
namespace {

TEST(Update, ChangesOnlyWhatIsExpected) {
  const std::string before = kHead + kGiven +
                             "--- test one  # as it was\n"
                             "--- expect transitions\n"
                             "t=0s a true\n"
                             "\n"
                             "--- test two\n"
                             "--- expect messages\n"
                             "old\n"
                             "--- expect actions\n";
  const RuleTestFile file = must_read(before);
  const std::vector<RuleTestOutcome> outcomes = {
      {.transitions = {{"a", "t=0s a false"}, {"b", "t=0s b true"}, {"a", "t=10s a true"}}},
      {.actions = {{"b", "t=0s b print: x"}}, .messages = {"new", "newer"}}};
  EXPECT_EQ(updated(file, before, outcomes), kHead + kGiven +
                                                 "--- test one  # as it was\n"
                                                 "--- expect transitions\n"
                                                 "t=0s a false\n"
                                                 "t=10s a true\n"
                                                 "\n"
                                                 "--- test two\n"
                                                 "--- expect messages\n"
                                                 "new\n"
                                                 "newer\n"
                                                 "--- expect actions\n"
                                                 "t=0s b print: x\n");
}

TEST(Update, WritesAnewWhatCannotBeRead) {
  const std::string before = kHead + kGiven + "--- expect transitions\nnonsense\n";
  const RuleTestFile file = must_read(before);
  const std::vector<RuleTestOutcome> outcomes = {{.transitions = {{"a", "t=0s a false"}}}};
  EXPECT_EQ(updated(file, before, outcomes),
            kHead + kGiven + "--- expect transitions\nt=0s a false\n");
}

}  // namespace
}  // namespace pmjit
