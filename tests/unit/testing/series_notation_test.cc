// Series written short, at the borders of their types.
#include "runtime/testing/case_recording.h"

#include <gtest/gtest.h>

namespace pmjit::cases {
namespace {

using Words = std::vector<std::string>;

Words expanded(const std::string& word) {
  const auto out = expand_series({word});
  return out ? *out : Words{out.error().text()};
}

TEST(Series, CountsUpAndDown) {
  EXPECT_EQ(expanded("0+10x3"), (Words{"0", "10", "20", "30"}));
  EXPECT_EQ(expanded("-5-1x1"), (Words{"-5", "-6"}));
  EXPECT_EQ(expanded("1.5+.25x2"), (Words{"1.5", "1.75", "2"}));
  EXPECT_EQ(expanded("7+0x0"), Words{"7"});
}

TEST(Series, KeepsIntegersBeyondTheirType) {
  EXPECT_EQ(expanded("9223372036854775807+9223372036854775807x2"),
            (Words{"9223372036854775807", "18446744073709551614", "27670116110564327421"}));
}

TEST(Series, LeavesAllElseAsItIs) {
  for (const char* word : {"5", "-5", "_", "-", "!", "!!", "1e3", "NaN", "0x10", "+1x2", "-x",
                           "1+x2", "1+2x", "a+1x2", "\"1+2x3\""}) {
    EXPECT_EQ(expanded(word), Words{word});
  }
  EXPECT_EQ(expanded(std::string(1'000'000, 'a')), Words{std::string(1'000'000, 'a')});
}

TEST(Series, AreNotEndless) {
  EXPECT_EQ(expanded("0+1x100001"), Words{"`0+1x100001` is no series"});
  EXPECT_EQ(expanded("0+1x99999999999"), Words{"`0+1x99999999999` is no series"});
  EXPECT_EQ(expanded("1.2.3+1x2"), Words{"`1.2.3+1x2` is no series"});
}

}  // namespace
}  // namespace pmjit::cases
