// Test files taken apart: sections for all tests and for one, and what is wrong with a file.
#include "rules/testing/test_file.h"

#include "tests/unit/rule_tests/texts.h"

namespace pmjit {
namespace {

std::string refusal(const std::string& text) {
  const auto file = read_rule_tests("x.case", text);
  return file ? "" : file.error().text();
}

TEST(RuleTestFile, IsOneTestWithoutALineThatBeginsOne) {
  const RuleTestFile file = must_read(kHead + kGiven + "--- expect transitions\n");
  ASSERT_EQ(file.tests.size(), 1u);
  EXPECT_TRUE(file.one);
  EXPECT_EQ(file.tests[0].name, "it is shown");
  EXPECT_EQ(file.delta, 10);
}

TEST(RuleTestFile, GivesEachTestTheSectionsBeforeTheFirst) {
  const RuleTestFile file = must_read(
      "# it is shown\n#: run: rules\n#: delta: 1min\n#: all: on\n#: rules: a.pmie b.pmie\n" +
      kGiven +
      "--- test one\n--- expect transitions\n--- test two\n--- samples\nm 7\n--- expect actions\n");
  ASSERT_EQ(file.tests.size(), 2u);
  EXPECT_FALSE(file.one);
  EXPECT_TRUE(file.all);
  EXPECT_EQ(file.delta, 60);
  EXPECT_EQ(file.rule_files, (std::vector<std::string>{"a.pmie", "b.pmie"}));
  EXPECT_EQ(file.tests[0].name, "one");
  EXPECT_EQ(file.tests[0].samples->body, "m 1 2\n");
  EXPECT_EQ(file.tests[0].actions, nullptr);
  EXPECT_EQ(file.tests[1].samples->body, "m 7\n");
  EXPECT_EQ(file.tests[1].metrics, file.tests[0].metrics);
  EXPECT_EQ(file.tests[1].transitions, nullptr);
}

TEST(RuleTestFile, SaysWhatIsWrong) {
  const std::string expects = "--- expect transitions\n";
  EXPECT_NE(refusal(kHead + kGiven).find("line 1: nothing is expected"), std::string::npos);
  EXPECT_NE(refusal(kHead + "--- samples\nm 1\n" + expects).find("there are no rules"),
            std::string::npos);
  const std::string rules = "--- rules\nm > 1;\n", metrics = "--- metrics\nm f64 instant\n";
  EXPECT_NE(refusal(kHead + rules + expects).find("the test has no section metrics"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + rules + metrics + expects).find("there are no samples"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + "--- expr\nm\n").find("a test of rules has no section `expr`"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + "--- sampels\nm\n").find("line 3: no such section: sampels"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + "#: wrap: on\n" + kGiven).find("a test of rules has no tag `wrap`"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + "#: delta: 0s\n" + kGiven).find("`delta` is not `0s`"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + "#: all: yes\n" + kGiven).find("`all` is not `yes`"),
            std::string::npos);
}

TEST(RuleTestFile, HoldsTestsApart) {
  const std::string expects = "--- expect transitions\n";
  EXPECT_NE(refusal(kHead + kGiven + expects + expects).find("two sections expect transitions"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + kGiven + "--- test\n" + expects).find("this test has no name"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + kGiven + "--- test a\n" + expects + "--- test a\n" + expects)
                .find("there are two tests `a`"),
            std::string::npos);
  EXPECT_NE(refusal(kHead + kGiven + expects + "--- test a\n").find("before the first test"),
            std::string::npos);
}

TEST(RuleTestFile, IsKnownByItsHead) {
  EXPECT_TRUE(is_rule_test("# a\n#: run: rules\n--- rules\n"));
  EXPECT_FALSE(is_rule_test("# a\n#: run: eval\n--- expr\n#: run: rules\n"));
  EXPECT_FALSE(is_rule_test("--- rules\n#: run: rules\n"));
  EXPECT_FALSE(is_rule_test(""));
}

}  // namespace
}  // namespace pmjit
