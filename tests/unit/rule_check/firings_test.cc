// When rules fire in pmie and in strict: the line about it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rules/check/meanings.h"

namespace pmjit {
namespace {

// Notes on a rule of two, in the second line of its file, with their places.
std::vector<std::string> notes_of(std::vector<double> in_pmie, std::vector<double> in_strict,
                                  const Diags& diags = {}) {
  RuleCheckReport report;
  RuleCheckReport::Text& text = report.texts.emplace_back(
      RuleCheckReport::Text{.source = {.name = "two.pmie", .text = "a = x > 1;\n  b = y > 2;\n"}});
  text.statements = {{.name = "a", .span = {0, 10}}, {.name = "b", .span = {13, 23}}};
  const std::vector<Meaning> meanings = {
      {.rule = "b", .statement = 1, .fires = std::move(in_pmie), .in_strict = in_strict}};
  std::vector<CheckedFile> files = {{.name = "two.pmie"}};
  add_findings(text.source, diags, files.front());
  add_firings({.report = report,
               .meanings = meanings,
               .archive = "web1",
               .time_of = [](double when) { return fmt::format("{:.0f}", when); }},
              files);
  std::vector<std::string> out;
  for (const CheckNote& note : files.front().notes) {
    out.push_back(fmt::format("{}:{}: {}: {}", note.at.line, note.at.column, note.message,
                              fmt::join(note.details, "; ")));
  }
  return out;
}

constexpr const char* kHead = "2:3: over web1 b fires at other times in strict: ";

TEST(Firings, HaveALineOfEachDialect) {
  EXPECT_EQ(
      notes_of({10, 20}, {}),
      std::vector<std::string>{std::string(kHead) + "pmie: 2 times, first at 10; strict: never"});
  EXPECT_EQ(notes_of({20}, {10, 20}),
            std::vector<std::string>{std::string(kHead) + "pmie: 1 time, first at 20; "
                                                          "strict: 2 times, first at 10"});
}

TEST(Firings, AsOftenAndNotAtOnceNameTheFirstTimeOfOneAlone) {
  EXPECT_EQ(
      notes_of({10, 20, 40}, {10, 30, 40}),
      std::vector<std::string>{std::string(kHead) + "both 3 times, first at 10, but not at 20"});
}

TEST(Firings, OfTheSameTimesNothingIsSaid) {
  EXPECT_TRUE(notes_of({10, 20}, {10, 20}).empty());
  EXPECT_TRUE(notes_of({10, 20}, {10.0000001, 20}).empty());  // rounding
  EXPECT_TRUE(notes_of({}, {}).empty());
}

TEST(Firings, OfAMistakenRuleTheWarningIsEnough) {
  Diags diags;
  diags.add(DiagCode::P_RuleWarning, Span{13, 14}, "this is never true");
  EXPECT_TRUE(notes_of({10}, {}, diags).empty());
  Diags of_other;
  of_other.add(DiagCode::P_RuleWarning, Span{0, 1}, "this is never true");
  EXPECT_EQ(notes_of({10}, {}, of_other).size(), 1U);
}

}  // namespace
}  // namespace pmjit
