// A \ at the end of a line, since 6.2.2: what it joins, and what line numbers say then. Source:
// spec derived-metrics.md §6.2.
#include <gtest/gtest.h>

#include "tests/unit/compat_registry/loaded.h"

namespace pmjit::test {
namespace {

TEST(Continuation, JoinsLinesInTheNewerOnly) {
  const std::string text = "a = 1 + \\\n  2 + \\\n3\nb = \\\n4\n";
  Loaded seven(Dialect::pcp7), six;
  EXPECT_EQ(seven.read(text), 2);
  EXPECT_EQ(seven.said(), "");
  EXPECT_EQ(six.read(text), 0);
  EXPECT_TRUE(
      six.said().starts_with("[F:1] Error: pmRegisterDerived(a, ...) syntax error\n"
                             " 1 + \\\n     ^\nIllegal character\n[F:2] "));
}

TEST(Continuation, AMistakeHasTheNumberOfTheFirstLine) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1 + \\\n * \\\n 3\nb = +\n# x \\\nc = 5\nd = *\n"), 0);
  EXPECT_EQ(seven.said(),
            "[F:1] Error: pmRegisterDerived(a, ...) syntax error\n 1 +  *  3\n      ^   \n"
            "Arithmetic expression expected to follow PLUS\n"
            "[F:4] Error: pmRegisterDerived(b, ...) syntax error\n +\n ^\n"
            "Unexpected initial '+'\n"
            "[F:7] Error: pmRegisterDerived(d, ...) syntax error\n *\n ^\n"
            "Unexpected initial '*'\n");
}

TEST(Continuation, AtTheEndOfTheFileThereIsNoLine) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1 \\\n"), 0);
  EXPECT_EQ(seven.read("b = 1 \\"), 0);
  EXPECT_EQ(seven.said(), "");
}

TEST(Continuation, ATextInQuotesBehindOne) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1\na(oneline) = \\\n \"text of it\"\na(\\\nhelptext) = \\\n\\\n'x'\n"
                       "b = +\n"),
            1);
  EXPECT_EQ(seven.registry.find("a")->one_line, "text of it");
  EXPECT_EQ(seven.registry.find("a")->help, "x");
  EXPECT_TRUE(seven.said().starts_with("[F:8] ")) << seven.said();
}

TEST(Continuation, ATextInQuotesWithOneInIt) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1\na(oneline) = \"one \\\ntwo\"\nb = +\n"), 1);
  EXPECT_EQ(seven.registry.find("a")->one_line, "one two");
  EXPECT_TRUE(seven.said().starts_with("[F:4] "));
  EXPECT_EQ(seven.read("a(helptext) = \"one \\\ntwo\nthree \\\nfour\" \nb = +\n"), 0);
  EXPECT_EQ(seven.registry.find("a")->help, "one two\nthree four");
  EXPECT_TRUE(seven.said().starts_with("[F:5] "));
}

TEST(Continuation, ATextWithoutQuotes) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1\na(oneline) = one \\\ntwo\nb = +\n"), 1);
  EXPECT_EQ(seven.registry.find("a")->one_line, "one two");
  EXPECT_TRUE(seven.said().starts_with("[F:4] "));
}

}  // namespace
}  // namespace pmjit::test
