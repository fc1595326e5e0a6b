// What a configuration says of rules by name, what a reload may not change, and problems of others.
#include <gtest/gtest.h>

#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

ConfigRead read_rules(const std::string& text) {
  return read_config({.path = "pmjit.toml"},
                     MemoryFiles({{"pmjit.toml", text}, {"r", ""}, {"s", ""}}));
}

TEST(ConfigRules, EnableAndDisable) {
  const auto has = [](const std::string& keys, const std::string& rule) {
    return read_rules("[[rules]]\nfiles=['r']\n" + keys).config.rules[0].has_rule(rule);
  };
  EXPECT_TRUE(has("", "cpu.busy"));
  EXPECT_TRUE(has("enable=['cpu.*']\n", "cpu.busy"));
  EXPECT_FALSE(has("enable=['cpu.*']\n", "disk.busy"));
  EXPECT_FALSE(has("disable=['*.busy']\n", "disk.busy"));
  EXPECT_FALSE(has("enable=['disk.*']\ndisable=['disk.busy']\n", "disk.busy"));
  EXPECT_TRUE(has("enable=['disk.*']\ndisable=['disk.busy']\n", "disk.full"));
}

TEST(ConfigRules, AlertsOfGlobsAddUp) {
  const ConfigRead read = read_rules(
      "[[sink]]\nname='m'\ntype='file'\npath='/f'\n"
      "[[rules]]\nfiles=['r']\n"
      "[rules.alert.'z*']\nseverity='info'\n"
      "[rules.alert.'*']\nseverity='warning'\nfor='1m'\nlabels={a='1',b='1'}\nnotify=false\n"
      "[rules.alert.'cpu.*']\nseverity='critical'\nkeep='2m'\nstale='3m'\nunknown='info'\n"
      "labels={b='2'}\nannotations={n='x'}\nnotify=['m']\n");
  EXPECT_EQ(problem_lines(read.problems), "");
  const RulesBlock& rules = read.config.rules[0];
  const auto cpu = rules.alert_of("cpu.busy");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->severity, AlertSeverity::critical);
  EXPECT_EQ(cpu->hold_for, 1min);
  EXPECT_EQ(cpu->keep, 2min);
  EXPECT_EQ(cpu->stale, 3min);
  EXPECT_EQ(cpu->unknown, AlertSeverity::info);
  EXPECT_EQ(cpu->labels, (AlertLabels{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(cpu->annotations, (AlertLabels{{"n", "x"}}));
  EXPECT_EQ(cpu->notify, std::vector<std::string>{"m"});
  const auto zone = rules.alert_of("zone");
  EXPECT_EQ(zone->severity, AlertSeverity::warning);
  EXPECT_EQ(zone->notify, std::vector<std::string>{});
  EXPECT_EQ(zone->keep, std::nullopt);
}

TEST(ConfigRules, AGlobOfARulesetIsForAllItsRules) {
  const ConfigRead read = read_rules(
      "[[rules]]\nfiles=['r']\n[rules.alert.'load']\nseverity='info'\nfor='1m'\n"
      "[rules.alert.'load#2']\nseverity='critical'\n");
  const RulesBlock& rules = read.config.rules[0];
  EXPECT_EQ(rules.alert_of(name_in_ruleset("load", 0))->severity, AlertSeverity::info);
  EXPECT_EQ(rules.alert_of(name_in_ruleset("load", 1))->severity, AlertSeverity::critical);
  EXPECT_EQ(rules.alert_of("load#2")->hold_for, 1min);
  EXPECT_FALSE(rules.alert_of("loads#1"));
}

TEST(ConfigRules, NoAlertWithoutAGlob) {
  EXPECT_FALSE(read_rules("[[rules]]\nfiles=['r']\n").config.rules[0].alert_of("x"));
  EXPECT_EQ(problem_lines(
                read_rules("[[rules]]\nfiles=['r']\n[rules.alert]\nseverity='info'\n").problems),
            "C02 pmjit.toml:4:1 `severity` is a text, not a table | write [rules.alert.\"GLOB\"]; "
            "GLOB chooses rules by their names\n");
}

constexpr const char* kTwoBlocks =
    "[[hosts]]\nnames=['a','b']\ngroup='x'\n[[hosts]]\nnames=['c']\ngroup='y'\n"
    "[[rules]]\nfiles=['r']\nhosts=['group=\"x\"']\n[[rules]]\nfiles=['s']\n";

TEST(ConfigRules, TwiceOnAHost) {
  ConfigRead read = read_rules(kTwoBlocks);
  const std::vector<ConfigRule> rules{{0, "r", "busy"}, {0, "r", "full"}, {1, "s", "busy"}};
  rules_twice(read.config, rules, read.problems);
  EXPECT_EQ(
      problem_lines(read.problems),
      "C08 pmjit.toml:11:7 rule busy is there twice on host a | r and s have it; choose hosts "
      "by labels, or disable one\n");
}

TEST(ConfigRules, TwiceOnOtherHostsIsFine) {
  ConfigRead read = read_rules(std::string(kTwoBlocks) + "hosts=['group=\"y\"']\n");
  const std::vector<ConfigRule> rules{{0, "r", "busy"}, {1, "s", "busy"}};
  rules_twice(read.config, rules, read.problems);
  EXPECT_EQ(problem_lines(read.problems), "");
}

TEST(ConfigRules, TwiceInOneBlock) {
  ConfigRead read = read_rules("[[hosts]]\nnames=['a']\n[[rules]]\nfiles=['r','s']\n");
  const std::vector<ConfigRule> rules{{0, "r", "busy"}, {0, "s", "busy"}};
  rules_twice(read.config, rules, read.problems);
  EXPECT_EQ(problem_lines(read.problems),
            "C08 pmjit.toml:4:7 rule busy is there twice on host a | r and s have it; choose hosts "
            "by labels, or disable one\n");
}

// Its state has no host, so the two would share it.
TEST(ConfigRules, OneThatJoinsHostsIsThereOnceInAll) {
  ConfigRead read = read_rules(std::string(kTwoBlocks) + "hosts=['group=\"y\"']\n");
  const std::vector<ConfigRule> rules{{0, "r", "all", true}, {1, "s", "all", true}};
  rules_twice(read.config, rules, read.problems);
  EXPECT_EQ(problem_lines(read.problems),
            "C08 pmjit.toml:11:7 rule all is there twice, and joins hosts | r and s have it; give "
            "one of them another name, or disable it\n");
}

TEST(ConfigRules, DisabledDoesNotCount) {
  ConfigRead read = read_rules(std::string(kTwoBlocks) + "disable=['busy']\n");
  const std::vector<ConfigRule> rules{{0, "r", "busy"}, {1, "s", "busy"}};
  rules_twice(read.config, rules, read.problems);
  EXPECT_EQ(problem_lines(read.problems), "");
}

TEST(ConfigRules, DiagnosticsOfARuleFileFollow) {
  ConfigRead read = read_rules("[[rules]]\nfiles=['r']\n");
  read.problems.add(ProblemCode::rule_file, read.config.rules[0].place, "r").detail =
      "error[P01]: syntax error\n";
  EXPECT_EQ(read.problems.text(),
            "error[C15]: rule file r has errors\n"
            "  --> pmjit.toml:2:7\n"
            "   |\n"
            " 2 | files=['r']\n"
            "   |       ^^^^^\n"
            "error[P01]: syntax error\n");
}

TEST(ConfigReload, WhatNeedsARestart) {
  const ConfigRead running = read_rules("[http]\nlisten='127.0.0.1:1'\n[daemon]\nthreads=2\n");
  ConfigRead next = read_rules(
      "[daemon]\nstate='/x'\nzone='UTC'\n[http]\nlisten=['127.0.0.1:1']\nexternal_url='http://x'\n"
      "[fetch]\nbackoff='2s'\n");
  EXPECT_EQ(problem_lines(next.problems), "");
  restart_problems(running.config, next.config, next.problems);
  EXPECT_EQ(problem_lines(next.problems),
            "C17 pmjit.toml:2:1 `daemon.state` cannot change while the daemon runs | restart the "
            "daemon, or take the change back\n"
            "C17 pmjit.toml:1:1 `daemon.threads` cannot change while the daemon runs | restart the "
            "daemon, or take the change back\n"
            "C17 pmjit.toml:6:1 `http.external_url` cannot change while the daemon runs | restart "
            "the daemon, or take the change back\n");
}

TEST(ConfigReload, TheSameNeedsNone) {
  const ConfigRead running = read_rules("[daemon]\nstate='a'\n");
  ConfigRead next = read_rules("# other layout\n[daemon]\n  state = \"a\"\n");
  restart_problems(running.config, next.config, next.problems);
  EXPECT_EQ(problem_lines(next.problems), "");
}

}  // namespace
}  // namespace pmjit
