#include "runtime/exec/gap_watch.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

std::string gaps(bool discrete, const std::vector<Group>& groups) {
  GapWatch watch(discrete);
  std::string out;
  for (const Group& group : groups) out += watch.follows_gap(group) ? '|' : '.';
  return out;
}

TEST(GapWatch, MarksAndPauses) {
  const std::vector<Group> steady{{{0, 0}}, {{10, 0}}, {{20, 0}}, {{30, 0}}};
  EXPECT_EQ(gaps(false, steady), "....");
  // Five halves of the interval are no pause yet, a nanosecond more is one.
  EXPECT_EQ(gaps(false, {{{0, 0}}, {{10, 0}}, {{20, 0}}, {{45, 0}}}), "....");
  EXPECT_EQ(gaps(false, {{{0, 0}}, {{10, 0}}, {{20, 0}}, {{45, 1}}}), "...|");
  EXPECT_EQ(gaps(true, {{{0, 0}}, {{10, 0}}, {{20, 0}}, {{9'000, 0}}}), "....");
  // Behind a mark the interval is not known.
  EXPECT_EQ(gaps(false, {{{0, 0}}, {{10, 0}}, {{20, 0}, 1}, {{90, 0}, 1}, {{100, 0}, 1}}), "..|..");
}

}  // namespace
}  // namespace pmjit
