#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "runtime/report/plot/axis.h"

namespace pmjit {
namespace {

std::string ticks_text(Stamp first, Stamp last, std::string_view zone_name, size_t most = 9) {
  Zone zone(zone_name);
  std::string out;
  for (const TimeTick& tick : time_ticks(first, last, most, zone)) {
    EXPECT_GE(tick.time, nanos(first));
    EXPECT_LE(tick.time, nanos(last));
    out += (out.empty() ? "" : " ") + tick.text;
    if (!tick.date.empty()) out += "(" + tick.date + ")";
  }
  return out;
}

constexpr int64_t kEvening = 1'700'000'000;  // 2023-11-14T22:13:20Z

TEST(TimeAxis, RoundTimesOfTheClock) {
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 50, 0}, "UTC"),
            "22:13:20(2023-11-14) 22:13:30 22:13:40 22:13:50 22:14:00 22:14:10");
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 4 * 3600, 0}, "UTC"),
            "22:30(2023-11-14) 23:00 23:30 00:00(2023-11-15) 00:30 01:00 01:30 02:00");
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening, 4'000'000}, "UTC", 5),
            "22:13:20.000(2023-11-14) 22:13:20.001 22:13:20.002 22:13:20.003 22:13:20.004");
}

TEST(TimeAxis, RoundInTheZone) {
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 20 * 3600, 0}, "XST-5:30"),
            "06:00(2023-11-15) 09:00 12:00 15:00 18:00 21:00");
}

// On 2024-03-31 the hour from 2 to 3 is left out in Berlin, on 2024-10-27 it comes twice.
TEST(TimeAxis, ClocksThatAreChanged) {
  EXPECT_EQ(ticks_text({1'711'839'600, 0}, {1'711'857'600, 0}, "Europe/Berlin"),
            "00:00(2024-03-31) 01:00 03:00 04:00 05:00 06:00");
  EXPECT_EQ(ticks_text({1'729'980'000, 0}, {1'729'998'000, 0}, "Europe/Berlin"),
            "00:00(2024-10-27) 01:00 02:00 03:00 04:00");
}

TEST(TimeAxis, Calendar) {
  constexpr int64_t kDay = 86'400;
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 10 * kDay, 0}, "UTC"),
            "15 Nov(2023) 17 Nov 19 Nov 21 Nov 23 Nov");
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 200 * kDay, 0}, "UTC"),
            "Dec(2023) Jan(2024) Feb Mar Apr May Jun");
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening + 5'000 * kDay, 0}, "UTC"),
            "2024 2026 2028 2030 2032 2034 2036");
}

TEST(TimeAxis, OneTime) {
  EXPECT_EQ(ticks_text({kEvening, 0}, {kEvening, 0}, "UTC"), "22:13:20(2023-11-14)");
  EXPECT_EQ(ticks_text({kEvening, 500'000'000}, {kEvening, 500'000'000}, "UTC"),
            "22:13:20.5(2023-11-14)");
}

std::string values_text(double least, double most, Units units = {}, bool whole = false) {
  const ValueAxis axis = value_axis({.least = least, .most = most, .any = true}, units, 5, whole);
  EXPECT_LE(axis.low, least);
  EXPECT_GE(axis.high, most);
  EXPECT_GE(axis.share(least), 0);
  EXPECT_LE(axis.share(most), 1);
  std::string out = axis.units;
  for (const ValueTick& tick : axis.ticks) out += (out.empty() ? "" : " ") + tick.text;
  return out;
}

constexpr Units kKbyte{.dim_space = 1, .scale_space = 1};
constexpr Units kNanosec{.dim_time = 1, .scale_time = 0};

TEST(ValueAxis, RoundNumbers) {
  EXPECT_EQ(values_text(0.1, 8.3), "0 2 4 6 8 10");
  EXPECT_EQ(values_text(90, 100), "90 92 94 96 98 100");
  EXPECT_EQ(values_text(-3, 4), "-4 -2 0 2 4");
  EXPECT_EQ(values_text(0, 2, {}, true), "0 1 2");
  EXPECT_EQ(values_text(0, 0.3), "0.0 0.1 0.2 0.3");
  EXPECT_EQ(values_text(5, 5), "4.4 4.6 4.8 5.0 5.2 5.4 5.6");
  EXPECT_EQ(values_text(0, 0), "0.0 0.2 0.4 0.6 0.8 1.0");
}

TEST(ValueAxis, Suffixes) {
  EXPECT_EQ(values_text(0, 40'000), "0 10k 20k 30k 40k");
  EXPECT_EQ(values_text(1.001e6, 1.03e6), "1.00M 1.01M 1.02M 1.03M");
  EXPECT_EQ(values_text(0, 0.004), "0 1m 2m 3m 4m");
}

TEST(ValueAxis, ScalesOfUnits) {
  EXPECT_EQ(values_text(0, 3 * 1024.0 * 1024, kKbyte), "Gbyte 0 1 2 3");
  EXPECT_EQ(values_text(0, 500, kKbyte), "Kbyte 0 100 200 300 400 500");
  EXPECT_EQ(values_text(0, 5'000'000, kNanosec), "millisec 0 1 2 3 4 5");
  Units per_second = kKbyte;
  per_second.dim_time = -1;
  per_second.scale_time = kTimeScaleSec;
  EXPECT_EQ(values_text(0, 2'048, per_second), "Mbyte / sec 0.0 0.5 1.0 1.5 2.0");
}

TEST(ValueAxis, Extremes) {
  values_text(0, 1e300);
  values_text(-1e-300, 1e-300);
  values_text(18'446'744'073'709'500'416.0, 18'446'744'073'709'551'616.0);
  const ValueAxis widest =
      value_axis({.least = -DBL_MAX, .most = DBL_MAX, .any = true}, {}, 5, false);
  EXPECT_EQ(widest.share(-DBL_MAX), 0);
  EXPECT_EQ(widest.share(DBL_MAX), 1);
  EXPECT_NEAR(widest.share(0), 0.5, 1e-9);
  EXPECT_EQ(value_axis({}, {}, 5, false).ticks.size(), 6);  // no value at all
}

}  // namespace
}  // namespace pmjit
