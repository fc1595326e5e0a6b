// Lines of expectations, and what they are held to.
#include "rules/testing/compare.h"

#include "tests/unit/rule_tests/texts.h"

namespace pmjit {
namespace {

std::vector<std::string> lines(const std::string& body, EventKind kind) {
  const auto read = read_event_lines({.title = "expect", .body = body, .line = 5}, kind);
  if (!read) return {read.error().text()};
  std::vector<std::string> out;
  for (const EventLine& line : *read) out.push_back(line.text);
  return out;
}

std::string transition(const std::string& line) { return lines(line, EventKind::transition).at(0); }
std::string action(const std::string& line) { return lines(line, EventKind::action).at(0); }

TEST(EventLines, HaveOneLayout) {
  EXPECT_EQ(transition("  t=1min   busy\ttrue  web1[sda]   localhost[a b] localhost\n"),
            "t=60s busy true web1[sda] [a b]");
  EXPECT_EQ(transition("t=0.5s \"odd name\" unknown\n"), "t=0.5s \"odd name\" unknown");
  EXPECT_EQ(action("t=10s busy print:  two  blanks # and more"),
            "t=10s busy print:  two  blanks # and more");
  EXPECT_EQ(action("t=10s busy print:"), "t=10s busy print: ");
  EXPECT_EQ(lines("# a comment\n\nt=0s r false\r\n", EventKind::transition),
            std::vector<std::string>{"t=0s r false"});
}

TEST(EventLines, SayWhichLineIsWrong) {
  EXPECT_TRUE(transition("\n10s r true\n").starts_with("line 6: `10s` is no time"));
  EXPECT_TRUE(transition("t=soon r true\n").starts_with("line 5: `soon` is not a duration"));
  EXPECT_TRUE(transition("t=1s r yes\n").starts_with("line 5: `yes` is not true, false"));
  EXPECT_TRUE(transition("t=1s\n").starts_with("line 5: `` is not true, false"));
  EXPECT_TRUE(action("t=1s r print\n").starts_with("line 5: there is no `verb: text`"));
}

TEST(EventLines, AreThoseOfEvents) {
  RuleTransition event{.transition = {.to = RuleTruth::yes, .when = 1'700'000'000.5}};
  event.bindings = {{.host = "web1", .instance = "a  b"}, {.host = "localhost", .instance = "c"}};
  EXPECT_EQ(event_line("r", event).text, "t=0.5s r true web1[a  b] [c]");
  EXPECT_EQ(
      event_line("odd name", RuleAction{.when = 1'700'000'010, .verb = "print", .text = "a\nb"})
          .text,
      "t=10s \"odd name\" print: a\\nb");
}

TEST(EventLines, CompareBindingsWhereTheyAreSaid) {
  EXPECT_TRUE(same_event("t=0s r true", "t=0s r true [sda]"));
  EXPECT_TRUE(same_event("t=0s r true [sda]", "t=0s r true [sda]"));
  EXPECT_FALSE(same_event("t=0s r true [sda]", "t=0s r true [sda] [sdb]"));
  EXPECT_FALSE(same_event("t=0s r true [sda]", "t=0s r true"));
}

RuleTestOutcome outcome() {
  return {.transitions = {{"a", "t=0s a false"}, {"b", "t=0s b true"}},
          .actions = {{"b", "t=0s b print: x"}},
          .names = {"a", "b"}};
}

std::vector<std::string> faults(const std::string& head, const std::string& expects) {
  const RuleTestFile file = must_read(head + kGiven + expects);
  const auto found = compare(file, file.tests.at(0), outcome());
  return found ? *found : std::vector<std::string>{found.error().text()};
}

TEST(Compare, LeavesOutRulesThatNoLineNames) {
  EXPECT_TRUE(faults(kHead, "--- expect transitions\nt=0s a false\n").empty());
  EXPECT_EQ(faults(kHead + "#: all: on\n", "--- expect transitions\nt=0s a false\n").size(), 1u);
  const auto all = faults(kHead, "--- expect actions\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0],
            "x.case:9: expect actions differs (- expected, + came out)\n+ t=0s b print: x\n");
}

TEST(Compare, TellsOfRulesThatThereAreNot) {
  const auto found = faults(kHead, "--- expect transitions\nt=0s c true\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], "x.case:9: there is no rule c; there are: a, b\n");
}

TEST(Compare, WantsMessagesToBeExpected) {
  const RuleTestFile file = must_read(kHead + kGiven + "--- expect transitions\n");
  RuleTestOutcome said{.messages = {"no such metric"}};
  const auto found = compare(file, file.tests.at(0), said);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::vector<std::string>{
                        "x.case:1: messages that are not expected\n+ no such metric\n"});
  const RuleTestFile expecting =
      must_read(kHead + kGiven + "--- expect messages\nno such metric\n");
  EXPECT_TRUE(compare(expecting, expecting.tests.at(0), said)->empty());
  EXPECT_EQ(compare(expecting, expecting.tests.at(0), {})->size(), 1u);
}

}  // namespace
}  // namespace pmjit
