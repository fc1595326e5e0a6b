// Which patterns are too large for regcomp(), and that real ones are not.
#include "compiler/ast/pattern_part.h"

#include <gtest/gtest.h>

#include <string>

#include "compiler/ast/words.h"
#include "runtime/base/limits.h"

namespace pmjit {
namespace {

std::string times(const std::string& text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string in_groups(const std::string& text, size_t depth, const std::string& repeated) {
  return times("(", depth) + text + times(")" + repeated, depth);
}

TEST(PatternSize, WhatRealDefinitionsHaveIsSmall) {
  for (const std::string& pattern :
       {std::string("^sd[a-z]+$"), std::string("^(nvme[0-9]{1,3}n[0-9]|sd[a-z]{1,2})$"),
        std::string("a{1,255}"), std::string("[[:alpha:]]+(\\.[[:digit:]]{1,3}){3}"),
        std::string("\\<eth[0-9]+\\>|\\bwlan"), std::string("(cpu|node)[0-9]*(a+)+")}) {
    EXPECT_LT(pattern_bytes(pattern), 2u << 20) << pattern;
    EXPECT_EQ(pattern_error(pattern), "") << pattern;
  }
}

TEST(PatternSize, LargeOnesThatRegcompTakesAreAccepted) {
  for (const std::string& pattern :
       {std::string("(a{1,100}){1,20}"), std::string("(a{1,100}){1,50}"), std::string("a{32767}"),
        std::string("(a{255}){255}"), std::string("a{1,2000}"), "b" + times("+", 14),
        "a" + times("|a", 2499), "disk" + times("|disk", 10'000 / 5),
        "^(a" + times("|a", 1499) + ")$", times("a", 100'000), times("^a$|", 1000),
        std::string("^.{0,1500}$"), in_groups("a", limits::kNestingMax, "")}) {
    EXPECT_LE(pattern_bytes(pattern), limits::kPatternBytesMax) << pattern.substr(0, 40);
    EXPECT_EQ(pattern_error(pattern), "") << pattern.substr(0, 40);
  }
}

TEST(PatternSize, WhatTakesTooMuchIsRefusedUnasked) {
  for (const std::string& pattern :
       {"b" + times("+", 100), std::string("((a{1,255}){1,255}){1,255}"), in_groups("a", 60, "+"),
        in_groups("a", limits::kNestingMax + 1, ""), times("(", 100'000), std::string("a{1,32767}"),
        std::string("a{0,32767}"), times("a?", 4000), "a" + times("|a", 4000),
        times("^", 2000) + "a?", times("(^|a?)", 500), times("\\b", 500),
        "^" + times("(a?|b?)", 300), std::string("((a?){,6}{11,})*"),
        std::string("(a?)+{5,}+{5,}+{5,}+{5,}"), "b" + times("+", 100) + "[",
        times("a", 1'000'000)}) {
    EXPECT_EQ(pattern_bytes(pattern), kPatternUnbounded) << pattern.substr(0, 40);
    EXPECT_EQ(pattern_error(pattern), "Memory exhausted") << pattern.substr(0, 40);
  }
}

TEST(PatternSize, PostfixOperatorsApplyInTurn) {
  for (const std::string pattern : {"b", "(ab)", "[x]"}) {
    const size_t one = pattern_bytes(pattern + "++++"), two = pattern_bytes(pattern + "+++++");
    EXPECT_GE(two, 2 * one);
    EXPECT_LE(two, 3 * one);
  }
  EXPECT_EQ(pattern_bytes("a{2}{3}"), pattern_bytes("aaaaaa"));
}

TEST(PatternSize, OperatorsInBracketsAndBehindBackslashesRepeatNothing) {
  const size_t one = pattern_bytes("a");
  for (const std::string pattern :
       {"[++++]", "[]+]", "[^]+]", "[[:alpha:]+]", "[[.].]+]", "[[=]=]+]", "[a[]", "\\+", "\\("}) {
    EXPECT_EQ(pattern_bytes(pattern), one) << pattern;
    EXPECT_EQ(pattern_error(pattern), "") << pattern;
  }
}

// In its own words, and at once.
TEST(PatternSize, MistakesAreLeftToRegcomp) {
  for (const auto& [pattern, error] : {std::pair{"a{40000}", "Regular expression too big"},
                                       {"a{2,1}", "Invalid content of \\{\\}"},
                                       {"a{x", "Unmatched \\{"},
                                       {"*a", "Invalid preceding regular expression"},
                                       {"(", "Unmatched ( or \\("},
                                       {"a\\", "Trailing backslash"}}) {
    EXPECT_EQ(pattern_error(pattern), error) << pattern;
  }
}

}  // namespace
}  // namespace pmjit
