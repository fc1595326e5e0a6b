// Text that is too long or too deep ends in a message, never in a crash; and whatever is accepted
// makes a tree that walks may recurse over.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/compat/definitions/parse.h"
#include "runtime/base/limits.h"

namespace pmjit {
namespace {

constexpr size_t kMax = limits::kNestingMax;
constexpr size_t kDeep = 100'000;

std::string times(const std::string& text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::expected<Ast, pcp::SyntaxError> parsed(const std::string& text) {
  bool in_pattern = false;
  return pcp::parse(text, Dialect::pcp7, in_pattern);
}

std::string message(const std::string& text) {
  const auto ast = parsed(text);
  return ast ? "ok" : ast.error().message;
}

size_t height(const Ast& ast) {
  std::vector<size_t> heights;
  for (const Expr& expr : ast.exprs) {
    size_t below = 0;
    for (const ExprId arg : ast.args_of(expr)) below = std::max(below, heights[arg.index]);
    heights.push_back(below + 1);
  }
  return heights.back();
}

TEST(PcpBounds, NestingBeyondAllBoundsIsRefused) {
  for (const std::string& text :
       {times("(", kDeep) + "1" + times(")", kDeep), times("-", kDeep) + "1",
        times("!", kDeep) + "a", times("rate(", kDeep) + "x" + times(")", kDeep),
        times("scalar(", kDeep) + "x" + times(")", kDeep), times("1?", kDeep) + "1",
        times("matchinst(/x/,", kDeep), times("a||b&&c==d+e*-(", kDeep), times("!-", kDeep)}) {
    EXPECT_TRUE(message(text).starts_with("nested deeper than 1000 levels")) << message(text);
  }
  for (const std::string& text : {"1" + times("+1", kDeep), "1" + times("&&1", kDeep),
                                  "1" + times("/1", kDeep), "1" + times("?1:1", kDeep)}) {
    EXPECT_EQ(message(text), "chain of more than 1000 operators") << text.substr(0, 20);
  }
}

TEST(PcpBounds, WhatIsOpenAtTheEndIsNotLostInTheDepth) {
  EXPECT_EQ(parsed(times("(", 900)).error().offset, 899);
  EXPECT_EQ(message(times("rate(", 900)), "<expr> expected to follow rate(");
}

TEST(PcpBounds, NestingUpToTheBoundIsAccepted) {
  for (const std::string& text :
       {times("(", kMax - 1) + "1" + times(")", kMax - 1), times("-", kMax - 1) + "1",
        times("rate(", kMax - 1) + "x" + times(")", kMax - 1), "1" + times("+1", kMax - 1),
        "1" + times("&&1", kMax - 1)}) {
    const auto ast = parsed(text);
    ASSERT_TRUE(ast) << text.substr(0, 40) << ast.error().message;
    EXPECT_LE(height(*ast), kMax);
    EXPECT_FALSE(print(*ast).empty());
    EXPECT_FALSE(dump(*ast).empty());
  }
}

// Chains inside of chains multiply.
TEST(PcpBounds, NoTreeIsTallerThanTheBound) {
  const std::string chain = times("&&1", 999) + ")";
  const std::string text = times("(", 900) + "1" + times(chain, 900) + "?1:2";
  EXPECT_EQ(message(text), "nested deeper than 1000 levels");
  const std::string calls = times("scalar(", 600) + "1" + times("+1)", 600);
  EXPECT_EQ(message(calls), "nested deeper than 1000 levels");
  const std::string arms = times("(1?", 501) + "1" + times(":2)[x]", 501);
  EXPECT_EQ(message(arms), "nested deeper than 1000 levels");
}

TEST(PcpBounds, SiblingsDoNotCountAsNesting) {
  std::string wide = "(0)";
  for (int i = 0; i < 900; ++i) wide += " + rate(x.y" + std::to_string(i) + ") * (-3 ? 1 : 2)";
  EXPECT_EQ(message(wide), "ok");
}

TEST(PcpBounds, ZeroBytesEndTheTextAndOthersAreIllegal) {
  EXPECT_EQ(message(std::string("a\0b", 3)), "ok");
  EXPECT_EQ(message("\xc3\xa9"), "Illegal character");
}

}  // namespace
}  // namespace pmjit
