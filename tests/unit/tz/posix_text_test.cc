#include "runtime/tz/posix_text.h"

#include <gtest/gtest.h>

namespace pmjit::tz {
namespace {

constexpr int64_t kJanuary = 1'704'067'200, kJuly = 1'720'000'000;

int64_t east(std::string_view text, int64_t sec) { return PosixZone::parse(text).at(sec).east; }

TEST(PosixZone, Offsets) {
  EXPECT_EQ(east("EST5", kJuly), -18'000);
  EXPECT_EQ(east("<+0530>-5:30", kJuly), 19'800);
  EXPECT_EQ(east("XYZ-1:02:03", kJuly), 3'723);
  EXPECT_EQ(east("XYZ99", kJuly), -86'400);
}

TEST(PosixZone, Changes) {
  EXPECT_EQ(east("CET-1CEST,M3.5.0,M10.5.0/3", kJanuary), 3'600);
  EXPECT_EQ(east("CET-1CEST,M3.5.0,M10.5.0/3", kJuly), 7'200);
  EXPECT_EQ(east("AEST-10AEDT,M10.1.0,M4.1.0/3", kJanuary), 39'600);
  EXPECT_TRUE(PosixZone::parse("XYZ1ABC,J60,J300").at(kJuly).summer);
  EXPECT_FALSE(PosixZone::parse("XYZ1ABC,0/-2,59/26").at(kJuly).summer);
}

TEST(PosixZone, WhatIsNoZoneIsUtc) {
  for (const char* text : {"", "Europe/Berlim", "ab5", "<ab>5", "XYZ", "XYZ+", "5"}) {
    EXPECT_EQ(east(text, kJanuary), 0) << text;
    EXPECT_FALSE(PosixZone::parse(text).lacks_rules) << text;
  }
}

TEST(PosixZone, RulesThatAreMissing) {
  EXPECT_TRUE(PosixZone::parse("EST5EDT").lacks_rules);
  EXPECT_TRUE(PosixZone::parse("EST5EDT4,").lacks_rules);
  EXPECT_FALSE(PosixZone::parse("EST5EDT,M3.2.0").lacks_rules);
  EXPECT_FALSE(PosixZone::parse("EST5").lacks_rules);
}

}  // namespace
}  // namespace pmjit::tz
