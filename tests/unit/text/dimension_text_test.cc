// Units in words.
#include "runtime/text/dimension_text.h"

#include <gtest/gtest.h>

#include "runtime/text/parse_units.h"

namespace pmjit {
namespace {

Units units(const char* text) { return parse_units(text, ExtraUnits::known)->units; }

TEST(DimensionText, OneDimensionOrAQuotientHasAWord) {
  EXPECT_EQ(dimension_text({}), "a plain number");
  EXPECT_EQ(dimension_text(units("Kbyte")), "a size");
  EXPECT_EQ(dimension_text(units("hour")), "a time");
  EXPECT_EQ(dimension_text(units("Mbyte / sec")), "a size per time");
  EXPECT_EQ(dimension_text(units("count / min")), "a count per time");
}

TEST(DimensionText, OthersAreNamedByTheirUnits) {
  EXPECT_EQ(dimension_text(units("Kbyte^2")), "in Kbyte^2");
  EXPECT_EQ(dimension_text(units("/ Kbyte")), "in 1 / Kbyte");
  EXPECT_NE(dimension_text(units("temperature (C)")), "a plain number");
}

TEST(UsualUnit, ASizeKeepsTheScaleThatIsWritten) {
  EXPECT_EQ(usual_unit(units("byte"), units("sec")), "Mbyte");
  EXPECT_EQ(usual_unit(units("byte"), units("Gbyte / sec")), "Gbyte");
  EXPECT_EQ(usual_unit(units("byte / sec"), units("Kbyte")), "Kbyte/sec");
  EXPECT_EQ(usual_unit(units("millisec"), units("Kbyte")), "sec");
  EXPECT_EQ(usual_unit({}, units("Kbyte")), "");
  EXPECT_EQ(usual_unit(units("Kbyte^2"), units("Kbyte")), "");
}

}  // namespace
}  // namespace pmjit
