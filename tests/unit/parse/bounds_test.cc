// Text that is too long, too deep or too much ends in a diagnostic with a place, never in a crash.
#include "runtime/base/limits.h"
#include "tests/unit/parse/lines.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

std::string times(const std::string& text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

constexpr size_t kDeep = test::turns(100'000);
constexpr size_t kMax = limits::kNestingMax;

TEST(Bounds, NestingBeyondAllBoundsIsRefusedAtItsPlace) {
  for (const std::string& text :
       {times("(", kDeep) + "1" + times(")", kDeep), times("(", kDeep), times("-", kDeep) + "1",
        times("- ", kDeep) + "1", times("!", kDeep) + "a",
        times("rate(", kDeep) + "x" + times(")", kDeep), "1" + times("+1", kDeep),
        "1" + times("<1", kDeep), "1" + times("&&1", kDeep), "1" + times("/-1", kDeep),
        times("1?1:", kDeep) + "1", times("1?", kDeep) + "1" + times(":1", kDeep),
        times("matchinst(/x/,", kDeep), times("a||b&&c==d+e*-(", kDeep),
        times("!-", kDeep) + "1"}) {
    const Parsed parsed(text);
    EXPECT_EQ(parsed.code(), "P04") << text.substr(0, 40);
    EXPECT_EQ(parsed.diags.all().size(), 1u) << text.substr(0, 40);
    EXPECT_LT(parsed.diags.all().front().span.begin, text.size());
    EXPECT_LT(parsed.said().size(), 1000u);
  }
}

TEST(Bounds, NestingUpToTheBoundIsAccepted) {
  for (const std::string& text :
       {times("(", kMax) + "1" + times(")", kMax), times("-", kMax) + "1", times("!", kMax) + "a",
        times("rate(", kMax) + "x" + times(")", kMax), "1" + times("+1", kMax),
        "1" + times("&&1", kMax), times("(a?", kMax / 2) + "b" + times(":c)", kMax / 2),
        times("a||(b&&(c==(d+(e*(-(", 70) + "x" + times("))))))", 70)}) {
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ast) << text.substr(0, 40) << parsed.said();
    const Parsed again(print(*parsed.ast));
    ASSERT_TRUE(again.ast) << text.substr(0, 40);
    EXPECT_TRUE(same_tree(*parsed.ast, *again.ast)) << text.substr(0, 40);
    EXPECT_FALSE(dump(*parsed.ast).empty());
  }
}

TEST(Bounds, OneLevelMoreIsNot) {
  EXPECT_EQ(Parsed(times("(", kMax + 1) + "1" + times(")", kMax + 1)).code(), "P04");
  EXPECT_EQ(Parsed(times("-", kMax + 1) + "1").code(), "P04");
  EXPECT_EQ(Parsed("1" + times("+1", kMax + 1)).code(), "P04");
}

TEST(Bounds, SiblingsDoNotCountAsNesting) {
  std::string wide = "(0)";
  for (int i = 0; i < 500; ++i) wide += " + rate(x.y" + std::to_string(i) + ") * (-3 ? 1 : 2)";
  EXPECT_TRUE(Parsed(wide).ast) << Parsed(wide).said();
}

TEST(Bounds, TooManyTokens) { EXPECT_EQ(Parsed(times("1 ", 500'000)).code(), "P10"); }

TEST(Bounds, TooManyErrorsInOneExpression) {
  const Parsed parsed("x ? novalue(" + times("a=1, ", 3000) + "a=1) : 1");
  EXPECT_EQ(parsed.diags.all().size(), 1001u);
  EXPECT_EQ(diag_code_text(parsed.diags.all().back().code), "P11");
}

TEST(Bounds, TooLong) {
  const SourceText source{"f", std::string(limits::kSourceBytesMax + 1, ' ')};
  Diags diags;
  EXPECT_FALSE(parse_expression(source, diags));
  EXPECT_EQ(diag_code_text(diags.all().front().code), "P05");
  Diags of_file;
  EXPECT_FALSE(parse_definitions(source, of_file).whole);
  EXPECT_EQ(diag_code_text(of_file.all().front().code), "P05");
}

TEST(Bounds, LongTokensAreNoNesting) {
  EXPECT_TRUE(Parsed("x[" + times("[(", kDeep) + "]").ast);
  EXPECT_TRUE(Parsed(times("a.b", kDeep)).ast);
}

}  // namespace
}  // namespace pmjit
