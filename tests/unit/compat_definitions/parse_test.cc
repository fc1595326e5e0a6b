// What the compatible dialects accept, what they say of everything else and where: each line of
// data/syntax.txt; how operators bind; what of one definition is left to the next.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "compiler/compat/definitions/parse.h"

namespace pmjit {
namespace {

std::string outcome(const std::string& text, Dialect dialect) {
  bool in_pattern = false;
  const auto ast = pcp::parse(text, dialect, in_pattern);
  if (ast) return "ok";
  const pcp::SyntaxError& wrong = ast.error();
  return fmt::format("{}{}{}", wrong.offset, wrong.message.empty() ? "" : " ", wrong.message);
}

TEST(PcpParse, SaysOfEveryTextWhatLibpcpSays) {
  std::ifstream file(std::string(PCP_DATA) + "/syntax.txt");
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const size_t blank = line.find(' '), arrow = line.rfind(" => ");
    ASSERT_NE(arrow, line.npos) << line;
    const std::string who = line.substr(0, blank), expected = line.substr(arrow + 4);
    const std::string text = line.substr(blank + 1, arrow - blank - 1);
    ASSERT_TRUE(who == "both" || who == "pcp6" || who == "pcp7") << line;
    if (who != "pcp7") {
      EXPECT_EQ(outcome(text, Dialect::pcp6), expected) << "6: " << text;
    }
    if (who != "pcp6") {
      EXPECT_EQ(outcome(text, Dialect::pcp7), expected) << "7: " << text;
    }
    ++lines;
  }
  EXPECT_GT(lines, 250);
}

// As of PCP 6.0.3: 0xff ends the text where a token could begin, and goes unseen with a token that
// was read up to it. Here $ stands for it.
TEST(PcpParse, AByteThatReadsAsTheEndOfTheText) {
  const std::pair<std::string, std::string> said[] = {
      {"a $ b", "ok"},
      {"a[i]$ b", "ok"},
      {"1$ + 2", "ok"},
      {".$ + 1", "ok"},
      {"(1$)", "ok"},
      {"!$1", "ok"},
      {"1 <$ 2", "ok"},
      {"1 >$ 2", "ok"},
      {"avg(a$)", "ok"},
      {"a$ [i]", "ok"},
      {"mkconst(1, type$=$u64$)", "ok"},
      {"matchinst(!$/a/, b$)", "ok"},
      {"$", "0"},
      {"(1$", "2 Unexpected initial '('"},
      {"1$2", "2"},
      {"1$+", "2 Arithmetic expression expected to follow PLUS"},
      {"1 + $ 2", "4 Arithmetic expression expected to follow PLUS"},
      {"1 <$= 2", "4 Arithmetic expression expected to follow LT"},
      {"1 <=$ 2", "4 Arithmetic expression expected to follow LEQ"},
      {"1 =$= 2", "2"},
      {"1 &$& 2", "2 Illegal character"},
      {"avg(a$$)", "6 Metric name expected to follow avg("},
      {"co$unt(a)", "3 Arithmetic or relational or boolean operator expected to follow NAME"},
      {"rate$(a)", "6 Unexpected '('"},
      {"x[a$]", "1 unterminated instance name"},
      {"x[a\\$] + 1", "1 unterminated instance name"},
      {"matchinst(/a$/, b)", "10 unterminated pattern"},
      {"rescale(1, \"$\")", "11 unterminated STRING"},
  };
  for (auto [text, expected] : said) {
    std::ranges::replace(text, '$', '\xff');
    EXPECT_EQ(outcome(text, Dialect::pcp6), expected) << text;
    EXPECT_EQ(outcome(text, Dialect::pcp7), expected) << text;
  }
}

TEST(PcpParse, AnEmptyTextIsWrongBeforeItsStart) {
  EXPECT_EQ(outcome("", Dialect::pcp6), "-1");
  EXPECT_EQ(outcome("", Dialect::pcp7), "-1");
}

// Every operator with its operands in parentheses.
std::string shape(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  const auto arg = [&](size_t i) { return shape(ast, args[i]); };
  switch (expr.kind) {
    case ExprKind::unary: return fmt::format("({}{})", operator_text(expr.op), arg(0));
    case ExprKind::binary: return fmt::format("({}{}{})", arg(0), operator_text(expr.op), arg(1));
    case ExprKind::ternary: return fmt::format("({}?{}:{})", arg(0), arg(1), arg(2));
    case ExprKind::instance: return fmt::format("{}[{}]", arg(0), expr.text);
    case ExprKind::call: return fmt::format("{}({})", expr.text, arg(0));
    case ExprKind::rescale: return fmt::format("rescale({},{})", arg(0), expr.text);
    case ExprKind::matchinst:
      return fmt::format("matchinst({}{},{})", expr.negated ? "!" : "", expr.text, arg(0));
    case ExprKind::mkconst: return fmt::format("mkconst({})", arg(0));
    case ExprKind::novalue: return "novalue()";
    default: return expr.text;
  }
}

std::string shape(const std::string& text, Dialect dialect = Dialect::pcp6) {
  bool in_pattern = false;
  const auto ast = pcp::parse(text, dialect, in_pattern);
  return ast ? shape(*ast, ast->root) : "wrong: " + ast.error().message;
}

TEST(PcpParse, OperatorsBindAsTheTableHasIt) {
  EXPECT_EQ(shape("a+b*c-d/e"), "((a+(b*c))-(d/e))");
  EXPECT_EQ(shape("12/2*3"), "((12/2)*3)");
  EXPECT_EQ(shape("1||1&&0"), "((1||1)&&0)");
  EXPECT_EQ(shape("1<2<3"), "((1<2)<3)");
  EXPECT_EQ(shape("a<b+1==c"), "((a<(b+1))==c)");
  EXPECT_EQ(shape("a&&b>c||d"), "((a&&(b>c))||d)");
  EXPECT_EQ(shape("!a>b"), "(!(a>b))");
  EXPECT_EQ(shape("!a&&b"), "((!a)&&b)");
  EXPECT_EQ(shape("!1+1"), "(!(1+1))");
  EXPECT_EQ(shape("!!a"), "(!(!a))");
  EXPECT_EQ(shape("-a*b"), "(-(a*b))");
  EXPECT_EQ(shape("-a+b"), "((-a)+b)");
  EXPECT_EQ(shape("-a>b"), "((-a)>b)");
  EXPECT_EQ(shape("2 - -1"), "(2-(-1))");
  EXPECT_EQ(shape("- - 1"), "(-(-1))");
  EXPECT_EQ(shape("3 * -2"), "(3*(-2))");
  EXPECT_EQ(shape("- ! 1"), "(-(!1))");
}

// A prefix operator behind a tighter one takes what it would take anywhere, no more than its own
// level.
TEST(PcpParse, PrefixOperatorsBehindOthers) {
  EXPECT_EQ(shape("1 - -2 * 3"), "(1-(-(2*3)))");
  EXPECT_EQ(shape("a || ! b > c"), "(a||(!(b>c)))");
  EXPECT_EQ(shape("a + matchinst(/x/, b) / 2"), "(a+(matchinst(x,b)/2))");
}

TEST(PcpParse, TernariesAssociateToTheLeftAndNestInTheMiddle) {
  EXPECT_EQ(shape("a?b:c?d:e"), "((a?b:c)?d:e)");
  EXPECT_EQ(shape("1?0?5:6:7"), "(1?(0?5:6):7)");
  EXPECT_EQ(shape("a?b?c:d?e:f:g"), "(a?((b?c:d)?e:f):g)");
  EXPECT_EQ(shape("a||b?c:d"), "((a||b)?c:d)");
  EXPECT_EQ(shape("1 ? 2 : 3 + 4"), "(1?2:(3+4))");
  EXPECT_EQ(shape("!a ? b : c"), "((!a)?b:c)");
  EXPECT_EQ(shape("a ? b : (c ? d : e)"), "(a?b:(c?d:e))");
  EXPECT_EQ(shape("a ? novalue() : b ? c : d", Dialect::pcp7), "((a?novalue():b)?c:d)");
}

TEST(PcpParse, EscapesInInstancesAndPatterns) {
  EXPECT_EQ(shape("a[x\\]y\\\\]"), "a[x]y\\]");
  EXPECT_EQ(shape("a[ x ]"), "a[ x ]");
  EXPECT_EQ(shape("a[]"), "a[]");
  EXPECT_EQ(shape("(a + b)[x]"), "(a+b)[x]");
  EXPECT_EQ(shape("matchinst(!/a\\/b/, c)"), "matchinst(!a/b,c)");
  EXPECT_EQ(shape("matchinst(/a\\\\.b/, c)"), "matchinst(a\\.b,c)");
}

TEST(PcpParse, TheAstSaysWhereEverythingStands) {
  bool in_pattern = false;
  const std::string text = " rate(a) * (b ? 1 : c[x])";
  const auto ast = pcp::parse(text, Dialect::pcp6, in_pattern);
  ASSERT_TRUE(ast);
  std::string places;
  for (const Expr& expr : ast->exprs) {
    places += text.substr(expr.span.begin, expr.span.end - expr.span.begin) + ";";
  }
  EXPECT_EQ(places, "a;rate(a);b;1;c;c[x];(b ? 1 : c[x]);rate(a) * (b ? 1 : c[x]);");
}

// Defect 11: a matchinst() that is never closed leaves its mark; one that is closed does not.
TEST(PcpParse, AFailedMatchinstTakesLaterSlashesForPatterns) {
  for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
    bool in_pattern = false;
    EXPECT_TRUE(pcp::parse("matchinst(/x/, a) / b", dialect, in_pattern));
    EXPECT_FALSE(in_pattern);
    EXPECT_FALSE(pcp::parse("matchinst(/x/, a + )", dialect, in_pattern));
    EXPECT_TRUE(in_pattern);
    const auto next = pcp::parse("a / b", dialect, in_pattern);
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().offset, 2);
    EXPECT_EQ(next.error().message, "unterminated pattern");
    EXPECT_TRUE(pcp::parse("a + b", dialect, in_pattern));
    EXPECT_TRUE(in_pattern);
    EXPECT_TRUE(pcp::parse("matchinst(/x/, a)", dialect, in_pattern));
    EXPECT_TRUE(pcp::parse("a / b", dialect, in_pattern));
  }
}

}  // namespace
}  // namespace pmjit
