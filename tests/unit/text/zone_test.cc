// Zones and the texts of times against the reference's own answers.
#include "runtime/text/zone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "tests/unit/model/vectors.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

std::string local_text(const std::tm& tm) {
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02} {} {} {}", tm.tm_year + 1900, tm.tm_mon + 1,
                     tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday,
                     tm.tm_isdst);
}

TEST(Zone, IsTheReferences) {
  const auto rows = read_vectors("zones.tsv");
  size_t equal = 0;
  for (const VectorRow& row : rows) {
    Zone zone(row[0]);
    const int64_t sec = std::stoll(row[3]);
    EXPECT_EQ(zone.name(), row[2]);
    EXPECT_EQ(pm_ctime(sec, zone), row[4]) << row[0];
    EXPECT_EQ(local_text(zone.local(sec)), row[5]) << row[0] << " " << sec;
    equal += zone.name() == row[2] && pm_ctime(sec, zone) == row[4] &&
             local_text(zone.local(sec)) == row[5];
  }
  fmt::print("zones.tsv: {} of {}\n", equal, rows.size());
  EXPECT_GT(rows.size(), 110u);
}

TEST(Zone, AKeptStretchEndsWhereTheClockChanges) {
  // 2024-03-31 01:00 UTC: from 02:00 to 03:00. One zone goes through it second by second.
  Zone kept("Europe/Berlin");
  constexpr auto kStep = static_cast<int64_t>(test::kPlaceStep);
  for (int64_t sec = 1'711'843'200 - 90'000; sec < 1'711'843'200 + 90'000; sec += 97 * kStep) {
    Zone fresh("Europe/Berlin");
    ASSERT_EQ(kept.east(sec), sec < 1'711'846'800 ? 3'600 : 7'200) << sec;
    ASSERT_EQ(local_text(kept.local(sec)), local_text(fresh.local(sec)));
  }
}

TEST(Zone, LeavesTheProcessAsItWas) {
  setenv("TZ", "XST-2", 1);
  tzset();
  Zone berlin("Europe/Berlin"), own;
  EXPECT_EQ(berlin.east(1'720'000'000), 7'200);
  EXPECT_STREQ(std::getenv("TZ"), "XST-2");
  EXPECT_EQ(own.east(1'720'000'000), 7'200);
  EXPECT_EQ(own.name(), std::nullopt);
  unsetenv("TZ");
  tzset();
  EXPECT_EQ(Zone("AEST-10").east(0), 36'000);
  EXPECT_EQ(std::getenv("TZ"), nullptr);
}

TEST(Zone, ThreadsDoNotMeetInTheMiddle) {
  const auto walk = [](const char* name, int64_t east) {
    Zone zone(name);
    for (int64_t sec = 0; sec < 500 * 86'400; sec += 86'400) ASSERT_EQ(zone.east(sec), east);
  };
  std::thread east(walk, "AEST-10", 36'000), west(walk, "XST5", -18'000);
  east.join();
  west.join();
}

TEST(Zone, KnownOnesAreThoseThatAreNotSilentlyUtc) {
  for (const char* name : {"UTC", "GMT", "EST", "EST5EDT", "CET-1", "<+03>-3", ":XST5", ":UTC"})
    EXPECT_TRUE(known_zone(name)) << name;
  for (const char* name :
       {"", "PST", "Europe", "ab1", "Europe/Berlim", "XYZT", "<+03>", "<+03", "A5", "abc def"})
    EXPECT_FALSE(known_zone(name)) << name;
  EXPECT_EQ(known_zone("UTC")->name(), "UTC+0");
  EXPECT_EQ(known_zone("EST")->east(0), -18'000);
}

TEST(Zone, OfTheEnvironmentIsWhatTheLibraryKnows) {
  for (const char* value : {"", ":", "UTC", ":UTC", "GMT", "EST5EDT", "CET-1", "<+03>-3"})
    EXPECT_TRUE(is_zone_of_environment(value)) << value;
  for (const char* value : {"Europe/Berlim", ":Europe/Berlim", "XYZ", "XYZT", "A5", "abc def"})
    EXPECT_FALSE(is_zone_of_environment(value)) << value;
}

TEST(Zone, FarAwayTimesAreTheNearestThatFit) {
  Zone zone("UTC");
  EXPECT_EQ(zone.local(INT64_MAX).tm_year, zone.local(67'767'976'233'000'000).tm_year);
  EXPECT_EQ(zone.local(INT64_MIN).tm_year, zone.local(-67'768'040'609'000'000).tm_year);
}

TEST(TimeText, FractionsAreCutOffAndNotCarried) {
  Zone zone("XST-1");
  const Stamp stamp{1'699'999'999, 987'654'321};
  EXPECT_EQ(time_of_day(stamp, Fraction::none, zone), "23:13:19");
  EXPECT_EQ(time_of_day(stamp, Fraction::milli, zone), "23:13:19.987");
  EXPECT_EQ(time_of_day(stamp, Fraction::micro, zone), "23:13:19.987654");
  EXPECT_EQ(time_of_day(stamp, Fraction::nano, zone), "23:13:19.987654321");
  EXPECT_EQ(date_and_time(stamp, Fraction::micro, zone), "Tue Nov 14 23:13:19.987654 2023");
  const Stamp full{1'699'999'999, 1'000'000'000};
  EXPECT_EQ(time_of_day(full, Fraction::milli, zone), "23:13:19.1000");
  EXPECT_EQ(date_and_time(full, Fraction::nano, zone), "Tue Nov 14 23:13:19.1000000000 2023");
  EXPECT_EQ(time_of_day({-1, 5'000'000}, Fraction::milli, zone), "00:59:59.005");
}

TEST(TimeText, IsoWithTheZonesOffset) {
  Zone east("XST-5:30"), west("XST5"), utc("UTC");
  EXPECT_EQ(iso_local({1'700'000'000, 0}, east), "2023-11-15T03:43:20+05:30");
  EXPECT_EQ(iso_local({1'700'000'000, 120'000'000}, west), "2023-11-14T17:13:20.120-05:00");
  EXPECT_EQ(iso_local({1'700'000'000, 0}, utc), iso_utc({1'700'000'000, 0}));
}

}  // namespace
}  // namespace pmjit
