#include "runtime/model/stamp.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

namespace pmjit {
namespace {

TEST(Stamp, IsoHasAsFewDigitsAsAreExact) {
  EXPECT_EQ(iso_utc({1'700'000'000, 0}), "2023-11-14T22:13:20Z");
  EXPECT_EQ(iso_utc({1'700'000'000, 500'000'000}), "2023-11-14T22:13:20.500Z");
  EXPECT_EQ(iso_utc({1'700'000'000, 1'000}), "2023-11-14T22:13:20.000001Z");
  EXPECT_EQ(iso_utc({1'700'000'000, 123'456'789}), "2023-11-14T22:13:20.123456789Z");
}

TEST(Stamp, IsoOfBordersAndBeforeTheEpoch) {
  EXPECT_EQ(iso_utc({-1, 999'999'999}), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(iso_utc({951'782'400, 0}), "2000-02-29T00:00:00Z");
  EXPECT_EQ(iso_utc({1'699'999'999, 1'000'000'000}), "2023-11-14T22:13:20Z");  // not normalised
}

// As they stand in a damaged index.
TEST(Stamp, DistancesOfWhatIsNoTime) {
  EXPECT_EQ(seconds_between({0, INT32_MAX}, {0, INT32_MIN}), 4.294967295);
  EXPECT_EQ(seconds_between({INT64_MAX, 0}, {-1, 0}), static_cast<double>(INT64_MIN));
}

TEST(Stamp, IsoAgreesWithGmtime) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<int64_t> seconds(-62'135'596'800,
                                                 253'402'300'799);  // years 1 … 9999
  for (int round = 0; round < 20'000; ++round) {
    const time_t sec = seconds(random);
    std::tm tm{};
    ASSERT_TRUE(gmtime_r(&sec, &tm));
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
                  tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    ASSERT_EQ(iso_utc({sec, 0}), text);
  }
}

TEST(Stamp, NanosRoundTrip) {
  for (const Stamp stamp :
       {Stamp{0, 0}, Stamp{-1, 1}, Stamp{-5, 999'999'999}, kStampMin, kStampMax}) {
    EXPECT_EQ(stamp_from_nanos(nanos(stamp)), stamp);
  }
}

}  // namespace
}  // namespace pmjit
