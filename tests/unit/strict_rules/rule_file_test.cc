// What rule files of the strict dialect become: Asts, printed as expressions, and what is done.
#include "compiler/strict_rules/rule_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

namespace pmjit::strict {
namespace {

RuleFile read(const std::string& text, std::string* errors = nullptr) {
  const SourceText source{.name = "a.pmie", .text = text};
  Diags diags;
  RuleFile out = *read_rules(source, {.delta = 10}, diags);
  if (errors != nullptr) {
    *errors = render_all(diags, source);
  } else {
    EXPECT_EQ(render_all(diags, source), "");
  }
  return out;
}

std::string condition(const std::string& text) {
  const RuleFile file = read("a = " + text + " -> print \"x\";");
  if (file.rules.size() != 1) return "none";
  return print(*file.rules.front().clauses.front().condition);
}

TEST(RuleFile, ConditionsAreExpressions) {
  EXPECT_EQ(condition("some_inst rate x > 5 count/sec"),
            "some(rate(x) > mkconst(5, units=\"count / sec\"))");
  EXPECT_EQ(condition("! (all_inst x > 5)"), "!(all(x > 5))");
  EXPECT_EQ(condition("sum_inst x + 1 > 5 && y < .5"), "sum(x) + 1 > 5 && y < .5");
  EXPECT_EQ(condition("count_inst (x > 5) >= 2"), "count((x > 5)) >= 2");
  EXPECT_EQ(condition("sum_inst known rate x > 1"), "sum(known(rate(x))) > 1");
  EXPECT_EQ(condition("'known' > 1"), "known > 1");
  EXPECT_EQ(condition("x #'a b' - 3 > -y"), "x[a b] - 3 > -y");
  EXPECT_EQ(condition("nomatch_inst \"^sd\" (x > 1) "), "matchinst(!/^sd/, (x > 1))");
  EXPECT_EQ(condition("x > 1e3 Kbyte^2 / sec"), "x > mkconst(1e3, units=\"Kbyte^2 / sec\")");
}

TEST(RuleFile, PlacesAreThoseOfTheFile) {
  const RuleFile file = read("// c\nlim = 2 Mbyte; a = mem.free < $lim -> print \"x\";");
  const Ast& ast = *file.rules.front().clauses.front().condition;
  const Expr& root = ast.exprs[ast.root];
  EXPECT_EQ(root.span, (Span{24, 39}));
  EXPECT_EQ(ast.exprs[ast.args_of(root)[1]].span, (Span{35, 39}));
}

TEST(RuleFile, BindingsAreWhereAConditionHolds) {
  const RuleFile two = read("a = (some_inst x > 5 && y > 1) || z < 2 -> print \"x\";");
  const auto& bindings = two.rules.front().clauses.front().bindings;
  ASSERT_EQ(bindings.size(), 2);
  EXPECT_EQ(print(bindings[0].set), "x > 5");
  EXPECT_EQ(print(*bindings[0].value), "x");
  EXPECT_EQ(print(bindings[1].set), "z < 2");
  const RuleFile known = read("a = some_inst known (x > 5) -> print \"x\";");
  EXPECT_EQ(print(*known.rules.front().clauses.front().bindings[0].value), "x");
}

TEST(RuleFile, WhatIsDone) {
  const RuleFile file = read(
      "delta = 2 min; who = \"on %h\";\n"
      "a = x > 5 -> print 10 min \"a $who\" \"!\" & shell \"b\" | alarm \"c\";\n"
      "b = ruleset x > 1 -> print \"1\" else x > 2 -> print \"2\" unknown -> print \"3\";");
  ASSERT_EQ(file.rules.size(), 2);
  EXPECT_EQ(file.rules[0].delta, 120);
  const std::vector<Verb>& verbs = file.rules[0].clauses[0].verbs;
  ASSERT_EQ(verbs.size(), 3);
  EXPECT_EQ(verbs[0].hold_off, 600);
  EXPECT_EQ(verbs[0].texts, (std::vector<std::string>{"a on %h", "!"}));
  EXPECT_TRUE(verbs[2].if_failed);
  ASSERT_EQ(file.rules[1].clauses.size(), 3);
  EXPECT_EQ(file.rules[1].clauses[2].when, Clause::When::unknown);
}

TEST(RuleFile, AnAlertHasTermsAndClauses) {
  const RuleFile file = read(
      "a = alert critical x > 5 until x < 3 for 2 min keep 30 sec stale 1 hour unknown info\n"
      "gone unknown label team \"web\" note summary \"%i is %v%\"\n"
      "-> print 10 min \"a\" & print \"b\" unknown -> print \"c\" otherwise -> print \"d\";\n"
      "b = alert some_inst x > 1;\n"
      "c = 'alert' > 1 -> print \"e\";\n"
      "e = alert x > 1 gone unknown -> print \"f\" unknown -> print \"g\";\n"
      "d = alert 'for' > 1 label 'count' \"\" note note \"%{rule}\";");
  ASSERT_EQ(file.rules.size(), 5);
  const Rule& rule = file.rules[0];
  ASSERT_TRUE(rule.alert);
  EXPECT_TRUE(rule.acts());
  EXPECT_EQ(rule.alert->severity, "critical");
  EXPECT_EQ(rule.alert->hold_for, 120);
  EXPECT_EQ(rule.alert->keep, 30);
  EXPECT_EQ(rule.alert->stale, 3600);
  EXPECT_EQ(rule.alert->unknown, "info");
  EXPECT_TRUE(rule.alert->gone_is_unknown);
  EXPECT_EQ(rule.alert->labels.at("team"), "web");
  EXPECT_EQ(rule.alert->notes.at("summary"), "%i is %v%");
  ASSERT_EQ(rule.clauses.size(), 4);
  EXPECT_EQ(print(*rule.clauses[0].condition), "x > 5");
  EXPECT_EQ(rule.clauses[0].verbs.size(), 2);
  EXPECT_EQ(rule.clauses[1].when, Clause::When::until);
  EXPECT_EQ(print(*rule.clauses[1].condition), "x < 3");
  EXPECT_EQ(rule.clauses[2].when, Clause::When::unknown);
  EXPECT_EQ(rule.clauses[3].when, Clause::When::otherwise);
  EXPECT_EQ(file.rules[1].alert->severity, "warning");
  EXPECT_EQ(file.rules[1].alert->keep, std::nullopt);
  EXPECT_FALSE(file.rules[2].alert);
  EXPECT_EQ(file.rules[3].clauses.size(), 2);
  EXPECT_EQ(file.rules[3].clauses[0].verbs.front().texts.front(), "f");
  EXPECT_EQ(file.rules[4].alert->notes.at("note"), "%{rule}");
}

TEST(RuleFile, NotesNameMacrosAndExpressions) {
  const RuleFile file = read(
      "limit = -90 Kbyte; host = \"hinv.ncpu\"; twice = 2 * x;\n"
      "a = alert x > 5 note n \"%{value.limit} %{value.host:0} %{value.twice} %{value.delta}\";");
  ASSERT_EQ(file.rules.size(), 2);
  const auto& values = file.rules[1].alert->values;
  ASSERT_EQ(values.size(), 4);
  EXPECT_EQ(values.at("limit").constant, "-90");
  EXPECT_EQ(values.at("delta").constant, "10");
  EXPECT_EQ(print(*values.at("host").ast), "hinv.ncpu");
  EXPECT_EQ(print(*values.at("twice").ast), "2 * x");
}

TEST(RuleFile, WrongNamesInNotesAreTold) {
  const std::pair<const char*, const char*> notes[] = {
      {"%{value.limt}", "did you mean limit?"},
      {"%{value.act}", "act is a rule with actions, and has no value"},
      {"%{value.hour}", "no macro or expression before the alert has this name"},
      {"%{v:12}", "there is no %{v:12} in a note"},
      {"%{duration}", "did you mean %{held}?"},
      {"%{sinc}", "did you mean %{since}?"},
      {"%{value.limit", "%{value.limit has no closing }"}};
  for (const auto& [note, expected] : notes) {
    std::string errors;
    read(fmt::format("limit = 90; act = x > 1 -> print \"x\";\n"
                     "a = alert x > 5 note n \"{}\";",
                     note),
         &errors);
    EXPECT_NE(errors.find(expected), std::string::npos) << note << "\n" << errors;
  }
}

TEST(RuleFile, MistakesHaveTheirPlace) {
  std::string errors;
  read("a = x > 5-3 -> print \"x\";\nb = 120 %_inst (x > 4) -> print \"%z\";", &errors);
  EXPECT_NE(errors.find("error[D06]"), std::string::npos);
  EXPECT_NE(errors.find("a.pmie:1:10"), std::string::npos);
  EXPECT_NE(errors.find("error[D106]"), std::string::npos);
  EXPECT_NE(errors.find("a.pmie:2:5"), std::string::npos);
}

// A statement of any length is told about, not recursed into.
TEST(RuleFile, DepthIsBounded) {
  std::string errors, chain = "a = x";
  for (int i = 0; i < 20'000; ++i) chain += " + 1";
  read(chain + " > 5 -> print \"x\";", &errors);
  EXPECT_NE(errors.find("error[P04]"), std::string::npos);
  read("a = " + std::string(10'000, '(') + "x", &errors);
  EXPECT_NE(errors.find("error[P04]"), std::string::npos);
}

TEST(Pragma, StandsBeforeTheFirstStatement) {
  const auto strict = [](const std::string& text, bool wrong = false) {
    Diags diags;
    const bool out = says_strict({.name = "a", .text = text}, diags);
    EXPECT_EQ(diags.has_errors(), wrong) << text;
    return out;
  };
  EXPECT_TRUE(strict("// pmjit: dialect=strict\na = 1;"));
  EXPECT_TRUE(strict("// what this is\n\n//pmjit:dialect = strict \r\n"));
  EXPECT_FALSE(strict("// pmjit: dialect=pmie\n"));
  EXPECT_FALSE(strict("a = 1; // pmjit: dialect=strict\n"));
  (void)strict("a = 1;\n// pmjit: dialect=strict\n", true);
  (void)strict("// pmjit: dialect=pcp6\n", true);
  (void)strict("// pmjit: dialect=strict\n// pmjit: dialect=strict\n", true);
}

TEST(Selectors, ArePiecesOfAText) {
  const auto pieces = pieces_of("%i: 5%% of %v, 10%");
  ASSERT_EQ(pieces.size(), 5);
  EXPECT_EQ(pieces[1].selector, 'i');
  EXPECT_EQ(pieces[2].text, ": 5% of ");
  EXPECT_EQ(pieces[4].text, ", 10%");
}

}  // namespace
}  // namespace pmjit::strict
