// What the strict dialect accepts, and how it binds.
#include "tests/unit/parse/lines.h"

namespace pmjit {
namespace {

TEST(Accepted, PrintParsePrintIsIdentity) {
  for (const std::string& text : data_lines("accepted.txt")) {
    const Parsed first(text);
    ASSERT_TRUE(first.ast) << first.said();
    const std::string printed = print(*first.ast);
    const Parsed second(printed);
    ASSERT_TRUE(second.ast) << text << " printed as " << printed << "\n" << second.said();
    EXPECT_TRUE(same_tree(*first.ast, *second.ast)) << text << " printed as " << printed;
    EXPECT_EQ(print(*second.ast), printed) << text;
  }
}

std::string tree(const std::string& text) {
  const Parsed parsed(text);
  return parsed.ast ? dump(*parsed.ast) : parsed.said();
}

TEST(Accepted, SameTreeSeesEveryDifference) {
  const std::vector<std::string> all{"a",
                                     "b",
                                     "'a b'",
                                     "1",
                                     "1.0",
                                     "a + b",
                                     "a - b",
                                     "b + a",
                                     "-a",
                                     "!a",
                                     "a[x]",
                                     "a[y]",
                                     "a ? b : c",
                                     "sum(a)",
                                     "avg(a)",
                                     "rescale(a, \"s\")",
                                     "matchinst(/x/, a)",
                                     "matchinst(!/x/, a)",
                                     "mkconst(1, type=32)",
                                     "mkconst(1, type=\"32\")",
                                     "mkconst(1, units=32)"};
  for (const std::string& x : all)
    for (const std::string& y : all)
      EXPECT_EQ(same_tree(*Parsed(x).ast, *Parsed(y).ast), x == y) << x << " and " << y;
  EXPECT_TRUE(same_tree(*Parsed("((a)) + 'b'").ast, *Parsed("a+b").ast));
}

TEST(Accepted, BindsAsC) {
  const auto same = [](const std::string& text, const std::string& meant) {
    EXPECT_TRUE(same_tree(*Parsed(text).ast, *Parsed(meant).ast)) << text << "\n"
                                                                  << tree(text) << tree(meant);
  };
  same("1 + 2 * 3", "1 + (2 * 3)");
  same("1 - 2 - 3", "(1 - 2) - 3");
  same("12 / 2 * 3", "(12 / 2) * 3");
  same("-a * b", "(-a) * b");
  same("-a[x] + b", "(-(a[x])) + b");
  same("!a && b", "(!a) && b");
  same("a + 1 > b * 2", "(a + 1) > (b * 2)");
  same("a > b && c > d", "(a > b) && (c > d)");
  same("a && b && c", "(a && b) && c");
  same("a || b ? c : d", "(a || b) ? c : d");
  same("a ? b : c + 1", "a ? b : (c + 1)");
  same("a ? b ? c : d : e", "a ? (b ? c : d) : e");
}

TEST(Accepted, TheTreeIsShownWithItsPlaces) {
  EXPECT_EQ(tree("(rate(disk.read))[sd\\a] / (1 + 2.5)"),
            "binary / @0..35 op@24..25\n"
            "  instance sda @0..23 op@17..23\n"
            "    call rate @0..17 op@1..5 ()\n"
            "      name disk.read @6..15\n"
            "  binary + @26..35 op@29..30 ()\n"
            "    integer 1 @27..28\n"
            "    real 2.5 @31..34\n");
}

TEST(Accepted, EscapesAreResolved) {
  const auto text_of = [](const std::string& text) {
    const Parsed parsed(text);
    return parsed.ast ? parsed.ast->exprs[parsed.ast->root].text : parsed.said();
  };
  EXPECT_EQ(text_of("x[a\\]b\\\\c\\d]"), "a]b\\cd");
  EXPECT_EQ(text_of("matchinst(/a\\/b\\\\./, x)"), "a/b\\.");
  EXPECT_EQ(text_of("'it\\'s'"), "it's");
  EXPECT_EQ(text_of("x[ a ]"), " a ");
}

TEST(Accepted, ATreeFromAProgramPrintsWithItsParentheses) {
  for (const std::string text :
       {"a || (b && c)", "(a || b) && c", "!(a > b)", "(!a) > b", "a ? b : (c ? d : e)",
        "(a ? b : c) ? d : e", "(a < b) == c", "2 / (-3) * 4", "-(a * b)", "1 - (2 - 3)", "(-a)[x]",
        "(1 + !a) > b", "-(!a) * b"}) {
    const Parsed written(text);
    ASSERT_TRUE(written.ast) << written.said();
    Ast bare = *written.ast;
    for (Expr& e : bare.exprs) e.parenthesised = false;
    const Parsed again(print(bare));
    ASSERT_TRUE(again.ast) << print(bare) << "\n" << again.said();
    EXPECT_TRUE(same_tree(bare, *again.ast)) << text << " printed as " << print(bare);
  }
}

}  // namespace
}  // namespace pmjit
