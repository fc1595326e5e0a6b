// Settings: what is taken for a macro's value, and what is refused.
#include "compiler/compat/pmie/settings.h"

#include <gtest/gtest.h>

#include "tests/unit/compat_pmie/fake_metrics.h"

namespace pmjit::pmie {
namespace {

constexpr std::string_view kText =
    "limit = 90; wait = 50 millisec; queue = 8 count; hold = \"15 min\"; on = true; delta = 60;"
    "r = lab.inst > $limit -> print $hold \"x\";";

class SettingsTest : public testing::Test {
 protected:
  // What is refused; "": nothing.
  std::string set(const std::string& name, const std::string& value) {
    reader_ =
        std::make_unique<RuleReader>(metrics_, said_, ReaderOptions{.settings = {{name, value}}});
    const auto done = reader_->read(kText, "rules");
    return done ? "" : done.error().text();
  }
  double number(const std::string& name, const std::string& value) {
    EXPECT_EQ(set(name, value), "");
    return reader_->macro(name)->number;
  }

  FakeMetrics metrics_;
  Said said_;
  std::unique_ptr<RuleReader> reader_;
};

TEST_F(SettingsTest, TakeThePlaceOfNumbers) {
  EXPECT_EQ(number("limit", "95"), 95);
  EXPECT_EQ(number("limit", " 2 * 40 "), 80);
  EXPECT_EQ(number("limit", "-1"), -1);
  EXPECT_EQ(number("wait", "2 sec"), 2);
  EXPECT_EQ(number("queue", "9"), 9);
  EXPECT_EQ(number("queue", "9 count"), 9);
  EXPECT_EQ(number("on", "false"), 0);
}

TEST_F(SettingsTest, ReachTheRulesBehindTheDefinition) {
  EXPECT_EQ(set("limit", "7"), "");
  const RuleProgram& program = reader_->program();
  const PmieNode& rule = program.nodes[program.statements.back().root];
  EXPECT_EQ(program.nodes[program.nodes[rule.left].right].number, 7);
}

TEST_F(SettingsTest, TextsNeedNoQuotes) {
  for (const char* value : {"2 hour", "\"2 hour\""}) {
    EXPECT_EQ(set("hold", value), "");
    EXPECT_EQ(reader_->macro("hold")->text, "2 hour");
    const RuleProgram& program = reader_->program();
    const PmieNode& rule = program.nodes[program.statements.back().root];
    EXPECT_EQ(program.nodes[rule.right].number, 7200);
  }
}

TEST_F(SettingsTest, TheIntervalIsATime) {
  EXPECT_EQ(set("delta", "2 min"), "");
  EXPECT_EQ(reader_->program().statements.back().delta, 120);
  EXPECT_NE(set("delta", "120").find("is without units, and the macro delta is in sec"),
            std::string::npos);
  EXPECT_NE(set("delta", "0 sec").find("must be more than nothing"), std::string::npos);
}

TEST_F(SettingsTest, OfAnotherKindAreRefused) {
  EXPECT_EQ(set("limit", "high"),
            "file rules: `high` does not fit the macro limit\n  help: it is a number");
  EXPECT_EQ(set("wait", "20"),
            "file rules: `20` is without units, and the macro wait is in millisec\n"
            "  help: as in --set 'wait=20 millisec'");
  for (const char* value :
       {"lab.inst", "5; x = 3", "\"90\"", "true", "$wait", "5 -> 3", "\"", "("}) {
    EXPECT_NE(set("limit", value), "") << value;
  }
  EXPECT_EQ(said_.text, "");
}

TEST(ParseSettings, WantsNamesAndValues) {
  const std::vector<std::string> good = {"a=1", "b=x = y"};
  EXPECT_EQ(*parse_settings(good), (Settings{{"a", "1"}, {"b", "x = y"}}));
  for (const char* text : {"", "a", "=1", "a="}) {
    EXPECT_FALSE(parse_settings(std::vector<std::string>{text})) << text;
  }
  EXPECT_EQ(parse_settings(std::vector<std::string>{"a=1", "a=2"}).error().what(),
            "the macro a is set twice");
}

TEST(CheckSettings, NamesThatNoFileHas) {
  const MacroNames defined = {"cpu_busy", "disk_busy"};
  EXPECT_TRUE(check_settings({{"cpu_busy", "1"}}, defined));
  EXPECT_EQ(check_settings({{"cpu_bsy", "1"}}, defined).error().help(), "did you mean cpu_busy?");
  EXPECT_EQ(check_settings({{"zzz", "1"}}, defined).error().help(),
            "the rules define cpu_busy, disk_busy");
  EXPECT_EQ(check_settings({{"zzz", "1"}}, {}).error().help(), "the rules define no macros");
}

}  // namespace
}  // namespace pmjit::pmie
