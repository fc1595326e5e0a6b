// What the reader makes of rules: nodes, shapes, units, fetches (spec rules-language.md §5–§12).
#include <gtest/gtest.h>

#include "compiler/compat/pmie/list.h"
#include "runtime/base/limits.h"
#include "tests/unit/compat_pmie/fake_metrics.h"

namespace pmjit::pmie {
namespace {

class Program : public testing::Test {
 protected:
  const PmieNode& read(const std::string& text) {
    EXPECT_TRUE(reader_.read(text, "rules"));
    EXPECT_EQ(said_.text, "");
    return node(program().statements.back().root);
  }
  const RuleProgram& program() const { return reader_.program(); }
  const PmieNode& node(uint32_t id) const { return program().nodes[id]; }

  FakeMetrics metrics_;
  Said said_;
  RuleReader reader_{metrics_, said_, {}};
};

TEST_F(Program, OperandsStandBeforeTheirUsers) {
  const PmieNode& sum = read("a = lab.inst + 2 * lab.disc;");
  EXPECT_EQ(sum.op, PmieOp::add);
  EXPECT_EQ(sum.first, 0u);
  EXPECT_EQ(node(sum.left).op, PmieOp::fetch);
  EXPECT_EQ(node(sum.right).op, PmieOp::multiply);
  EXPECT_EQ(node(sum.right).first, sum.left + 1);
}

TEST_F(Program, ShapesOfFetches) {
  EXPECT_EQ(read("a = lab.inst;").shape, (PmieShape{1, 1, 1}));
  EXPECT_EQ(read("b = lab.disk;").shape, (PmieShape{1, 3, 1}));
  EXPECT_EQ(read("c = lab.disk :alpha :beta #sda #sdc @0..4;").shape, (PmieShape{2, 4, 5}));
  const PmieNode& delayed = read("d = lab.disk @2..3;");
  EXPECT_EQ(delayed.op, PmieOp::delay);
  EXPECT_EQ(delayed.delay, 2);
  EXPECT_EQ(delayed.shape, (PmieShape{1, 3, 2}));
  EXPECT_EQ(node(delayed.left).shape, (PmieShape{1, 3, 3}));
  EXPECT_EQ(program().fetches.back().held, 4);
}

TEST_F(Program, ShapesOfOperators) {
  EXPECT_EQ(read("a = sum_inst lab.disk @0..1;").shape, (PmieShape{1, -1, 2}));
  EXPECT_EQ(read("b = avg_host lab.disk;").shape, (PmieShape{-1, -1, 1}));
  EXPECT_EQ(read("c = all_sample lab.disk @0..1 > 3;").shape, (PmieShape{1, 3, -1}));
  EXPECT_EQ(read("d = 5 * lab.disk;").shape, (PmieShape{1, 3, 1}));
  EXPECT_EQ(read("e = lab.inst > 3 -> print \"x\";").shape, PmieShape{});
}

TEST_F(Program, ScalarsAndSets) {
  const PmieNode& mixed = read("a = lab.disk > lab.inst;");
  EXPECT_TRUE(mixed.left_is_set);
  EXPECT_FALSE(mixed.right_is_set);
  const PmieNode& listed = read("b = lab.disk #sda > sum_inst lab.disk;");
  EXPECT_FALSE(listed.left_is_set);
  EXPECT_FALSE(listed.right_is_set);
}

TEST_F(Program, UnitsAndScales) {
  const PmieNode& rate = read("a = lab.kb;");
  EXPECT_EQ(rate.units->dim_space, 1);
  EXPECT_EQ(rate.units->dim_time, -1);
  EXPECT_EQ(program().fetches.back().hosts.front().scale, 1024);
  EXPECT_EQ(read("b = instant lab.kb;").units->dim_time, 0);
  EXPECT_TRUE(program().fetches.back().raw);
  EXPECT_EQ(read("c = lab.kb / lab.ms;").units->dim_space, 1);
  EXPECT_EQ(program().fetches.back().hosts.front().scale, 1e-3);
  const PmieNode& hours = read("d = lab.inst + 2 hours;");
  EXPECT_EQ(node(hours.right).number, 7200);
}

TEST_F(Program, TwoSamplesForWhatComparesThem) {
  const PmieNode& rate = read("a = rate lab.inst;");
  EXPECT_EQ(node(rate.left).held, 2);
  const PmieNode& rising = read("b = rising lab.inst @0..3 > 2;");
  EXPECT_EQ(node(rising.left).held, 4);
}

TEST_F(Program, VariablesAreReadLater) {
  const PmieNode& late = read("a = $hour > 19;");
  EXPECT_EQ(node(late.left).variable, Variable::hour);
  EXPECT_EQ(read("day = 3; b = lab.inst + $day;").op, PmieOp::add);
  EXPECT_EQ(node(program().nodes.back().right).number, 3);
}

TEST_F(Program, DeltaIsOfTheStatementsBehindIt) {
  read("a = lab.inst; delta = 2 min; b = lab.inst;");
  EXPECT_EQ(program().statements[0].delta, 10);
  EXPECT_EQ(program().statements[1].delta, 120);
  ASSERT_TRUE(reader_.read("c = lab.inst; delta = 0;", "more"));
  EXPECT_EQ(program().statements[2].delta, 120);
  EXPECT_EQ(said_.text,
            "pmie: syntax error - at end of file\n"
            "delta must be a number of seconds above 0, as in: delta = 2 min;\n");
  EXPECT_TRUE(reader_.last_failed());
}

TEST_F(Program, ActionsHaveHoldOffAndArguments) {
  const PmieNode& rule =
      read("a = lab.inst > 3\n -> syslog 2 min \"-p user.info\" \"-t\" \"me\" \"x\" \"y\";");
  EXPECT_EQ(rule.op, PmieOp::rule);
  EXPECT_EQ(rule.line, 2u);
  const PmieNode& action = node(rule.right);
  EXPECT_EQ(action.number, 120);
  EXPECT_EQ(action.arguments, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(action.syslog_priority, 14);
  EXPECT_EQ(action.syslog_tag, "me");
  EXPECT_EQ(node(rule.left).metrics, rule.metrics);
}

TEST_F(Program, RulesetsAreTrees) {
  const PmieNode& set = read(
      "a = ruleset lab.inst > 3 -> print \"x\" else lab.inst > 2 -> print \"y\"\n"
      "unknown -> print \"u\" otherwise -> print \"o\";");
  EXPECT_EQ(set.op, PmieOp::ruleset);
  EXPECT_EQ(node(set.left).op, PmieOp::alternatives);
  EXPECT_EQ(node(set.right).op, PmieOp::others);
  EXPECT_EQ(node(node(set.right).left).op, PmieOp::unknown_clause);
  EXPECT_EQ(node(node(set.right).right).op, PmieOp::otherwise_clause);
  EXPECT_EQ(node(node(node(set.right).left).left).number, 1);
  EXPECT_EQ(reader_.rules(), 4u);
}

TEST_F(Program, DroppedRulesAreCounted) {
  ASSERT_TRUE(reader_.read("a = lab.disk > 3 -> print \"x\";", "rules"));
  EXPECT_EQ(reader_.rules(), 1u);
  EXPECT_TRUE(program().statements.empty());
  EXPECT_TRUE(program().nodes.empty());
  EXPECT_TRUE(program().fetches.empty());
}

TEST_F(Program, NothingIsLookedUpBehindAnError) {
  ASSERT_TRUE(reader_.read("a = no.such + lab.inst > lab.disc;", "rules"));
  EXPECT_EQ(metrics_.look_ups, 1);
}

TEST_F(Program, AnUnknownHostEndsTheProgram) {
  const auto read = reader_.read("a = lab.inst :gamma; b = lab.inst;", "rules");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what(), "no archive of this host");
}

TEST_F(Program, EventsAreRefused) {
  ASSERT_TRUE(reader_.read("a = lab.event;", "rules"));
  EXPECT_EQ(said_.text, "pmie: metric lab.event has inappropriate type\n");
}

TEST_F(Program, StandardInputHasAName) {
  ASSERT_TRUE(reader_.read("a = lab.inst;\nb = ) ;\n ;", ""));
  EXPECT_EQ(program().statements.front().file, "<stdin>");
  EXPECT_EQ(said_.text, "pmie: syntax error - near line 2 of standard input\n");
}

TEST_F(Program, BoundsAreSaid) {
  const auto nested = [](size_t depth) {
    return "a = " + std::string(depth, '(') + "lab.inst" + std::string(depth, ')') + ";";
  };
  std::string chain = "b = lab.inst";
  for (uint32_t i = 0; i <= limits::kNestingMax; ++i) chain += " + 1";
  ASSERT_TRUE(reader_.read(nested(limits::kRuleNestingMax), "x"));
  EXPECT_EQ(program().statements.size(), 1u);
  ASSERT_TRUE(reader_.read(nested(limits::kRuleNestingMax + 1) + chain + ";", "x"));
  ASSERT_TRUE(reader_.read("m = \"\\$m\"; c = $m;", "x"));
  EXPECT_EQ(program().statements.size(), 1u);
  EXPECT_NE(said_.text.find("more than 250 levels of parentheses and signs"), std::string::npos);
  EXPECT_NE(said_.text.find("more than 1000 operators upon each other"), std::string::npos);
  EXPECT_NE(said_.text.find("more than 1000 macros in a statement"), std::string::npos);
}

TEST(AgentMode, WantsNamesAndNoActions) {
  FakeMetrics metrics;
  Said said;
  RuleReader reader(metrics, said, {.agent = true});
  ASSERT_TRUE(reader.read("lab.inst; a = lab.inst > 3 -> print \"x\"; b = lab.inst;", "x"));
  EXPECT_EQ(said.text,
            "pmie: syntax error - near line 1 of file x\n"
            "expressions must be named in agent mode\n"
            "pmie: syntax error - near line 1 of file x\n"
            "operator -> not allowed in agent mode\n");
  ASSERT_EQ(reader.program().statements.size(), 1u);
  EXPECT_EQ(reader.program().statements[0].name, "b");
}

TEST(NumberText, IsThatOfPmie) {
  const std::pair<double, const char*> kTexts[] = {{0, "0"},
                                                   {-0.0, "0"},
                                                   {5, "5"},
                                                   {0.25, "0.25"},
                                                   {0.5, "0.50"},
                                                   {4.9999, "5.00"},
                                                   {49.98, "50.0"},
                                                   {50.5, "50"},
                                                   {1e9, "1000000000"},
                                                   {1e10, "10000000000"},
                                                   {1e30, "10000000000000000198846"},
                                                   {1e-6, "1e-06"},
                                                   {-2.5, "-2.50"},
                                                   {INFINITY, "inf"},
                                                   {NAN, "?"}};
  for (const auto& [number, text] : kTexts) EXPECT_EQ(number_text(number), text);
}

}  // namespace
}  // namespace pmjit::pmie
