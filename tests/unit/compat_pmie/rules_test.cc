// Rules and what pmie 6.0.3 says and lists of them: data/*.txt, a paragraph a case. Lines with >
// are the file `x`, those with ! what is said; what is listed stands below.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "compiler/compat/pmie/list.h"
#include "tests/unit/compat_pmie/fake_metrics.h"
#include "tests/unit/turns.h"

namespace pmjit::pmie {
namespace {

struct Case {
  int line = 0;
  std::string rules, expected;
};

std::vector<Case> cases_of(const std::string& file) {
  std::ifstream in(std::string(PMIE_DATA) + "/" + file);
  std::vector<Case> cases;
  std::string line;
  bool open = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line[0] == '#') {
      open = false;
      continue;
    }
    if (!std::exchange(open, true)) cases.push_back({.line = number});
    if (line[0] == '>')
      cases.back().rules += line.substr(line.size() > 1 ? 2 : 1) + "\n";
    else
      cases.back().expected += line + "\n";
  }
  return cases;
}

std::string outcome(const std::string& rules) {
  FakeMetrics metrics;
  Said said;
  RuleReader reader(metrics, said, {});
  const auto read = reader.read(rules, "x");
  std::string out;
  std::istringstream lines(said.text);
  for (std::string line; std::getline(lines, line);) out += "! " + line + "\n";
  if (!read) out += "! " + read.error().what() + "\n";
  if (reader.last_failed()) out += "! exit 1\n";
  for (const PmieStatement& statement : reader.program().statements)
    out +=
        fmt::format("{} =\n{};\n", statement.name, list(reader.program(), statement.root, metrics));
  return out;
}

class Rules : public testing::TestWithParam<const char*> {};

TEST_P(Rules, AreAsPmieHasThem) {
  const auto cases = cases_of(GetParam());
  ASSERT_GT(cases.size(), 10u);
  for (const Case& one : cases)
    EXPECT_EQ(outcome(one.rules), one.expected) << GetParam() << ":" << one.line;
}

INSTANTIATE_TEST_SUITE_P(Files, Rules, testing::Values("listings.txt", "messages.txt"));

// No line of a case can end so. As PCP 6.0.3's `pmie -d` lists it.
TEST(RuleTexts, HaveACharacterForTheEndBehindABackslash) {
  EXPECT_EQ(outcome("r = 1 > 0 -> print \"hi\\"), "r =\ntrue -> print \"hi\xff\";\n");
  EXPECT_EQ(outcome("r = 1 > 0 -> print \"hi"), "r =\ntrue -> print \"hi\";\n");
}

// A text that ends anywhere: something is said or nothing, and nothing worse happens.
TEST(RulePrefixes, AreRead) {
  for (const char* file : {"listings.txt", "messages.txt"})
    for (const Case& one : cases_of(file))
      for (size_t size = 0; size < one.rules.size(); size += test::kPlaceStep)
        (void)outcome(one.rules.substr(0, size));
}

}  // namespace
}  // namespace pmjit::pmie
