#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/report/text/values.h"
#include "tests/unit/report/fixture.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

constexpr std::string_view kHeader = "time,host,metric,instance,value\n";

TEST(Csv, ARowAValueAndAbsentOnesLeftOut) {
  Lab lab;
  lab.block.times = {kNoon, {1'700'000'000, 250'000'000}};
  const size_t reads =
      lab.add_column({.name = "disk.read", .elem = Elem::u64, .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "load", .elem = Elem::f64});
  const RosterId disks = lab.rosters.intern(std::vector<int32_t>{2, 0, 7});
  lab.add_row<uint64_t>(reads, disks, {5, UINT64_MAX, 0});
  lab.block.columns[reads].mark_invalid(0, 1);
  lab.add_row<uint64_t>(reads, Rosters::kNobodyId, {});
  lab.add_unknown(load, -12351);
  lab.add_row<double>(load, Rosters::kSingularId, {0.1});
  EXPECT_EQ(lab.print("csv"), std::string(kHeader) +
                                  "2023-11-14T22:13:20Z,app1,disk.read,sda,18446744073709551615\n"
                                  "2023-11-14T22:13:20Z,app1,disk.read,[7],0\n"
                                  "2023-11-14T22:13:20.250Z,app1,load,,0.1\n");
}

TEST(Csv, QuotesAsRfc4180) {
  Lab lab;
  lab.block.times = {kNoon};
  const size_t disks =
      lab.add_column({.name = "max(a, b)", .elem = Elem::truth, .domain = kDiskDomain});
  const size_t text = lab.add_column({.name = "t", .elem = Elem::text});
  const size_t bytes = lab.add_column({.name = "b", .elem = Elem::bytes});
  lab.add_row<uint8_t>(disks, lab.rosters.intern(std::vector<int32_t>{1, 2}), {1, 0});
  lab.add_texts(text, {"line\nand \"quote\""});
  lab.add_texts(bytes, {std::string("\x00\xff,", 3)});
  EXPECT_EQ(lab.print("csv"), std::string(kHeader) +
                                  "2023-11-14T22:13:20Z,app1,\"max(a, b)\",\"sd,b\",true\n"
                                  "2023-11-14T22:13:20Z,app1,\"max(a, b)\",\"x \"\"y\"\"\",false\n"
                                  "2023-11-14T22:13:20Z,app1,t,,\"line\nand \"\"quote\"\"\"\n"
                                  "2023-11-14T22:13:20Z,app1,b,,00ff2c\n");
}

TEST(Csv, NewNamesAreUsedFromWhenTheyHold) {
  Lab lab;
  lab.block.times = {kNoon};
  const size_t reads = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  lab.add_row<int32_t>(reads, lab.rosters.intern(std::vector<int32_t>{0}), {-1});
  std::string out;
  Sink sink(out);
  const auto writer = make_csv_writer(sink, {});
  writer->begin(
      {.infos = lab.infos, .host = "h", .catalog = &lab.catalog, .rosters = &lab.rosters});
  ASSERT_TRUE(write(*writer, lab.block));
  const auto write_next = [&] {
    lab.block.times.front().sec += 60;
    ASSERT_TRUE(write(*writer, lab.block));
  };
  lab.catalog.names[0] = "nvme0";
  write_next();  // the catalog says that nothing has changed
  lab.catalog.epoch = 2;
  write_next();
  lab.catalog.epoch = Catalog::kAskAgain;
  lab.catalog.names[0] = "nvme1";
  write_next();
  ASSERT_TRUE(writer->end());
  EXPECT_EQ(writer->values(), 4u);
  EXPECT_EQ(out, std::string(kHeader) +
                     "2023-11-14T22:13:20Z,h,m,sda,-1\n2023-11-14T22:14:20Z,h,m,sda,-1\n"
                     "2023-11-14T22:15:20Z,h,m,nvme0,-1\n2023-11-14T22:16:20Z,h,m,nvme1,-1\n");
}

std::string shown(double value, std::optional<int> digits = {}) {
  char text[kNumberBytes];
  return {text, put_double(text, value, digits)};
}
std::string shown_f32(float value) {
  char text[kNumberBytes];
  return {text, put_float(text, value, std::nullopt)};
}

TEST(Numbers, SpecialOnesAndDigits) {
  EXPECT_EQ(shown(NAN), "NaN");
  EXPECT_EQ(shown(INFINITY), "inf");
  EXPECT_EQ(shown(-INFINITY), "-inf");
  EXPECT_EQ(shown(-0.0), "-0");
  EXPECT_EQ(shown(0.0), "0");
  EXPECT_EQ(shown(3.0), "3");
  EXPECT_EQ(shown(1e6), "1000000");
  EXPECT_EQ(shown(1e300), "1e+300");
  EXPECT_EQ(shown_f32(0.1f), "0.1");  // the shortest for its own width
  EXPECT_EQ(shown(0.1f), "0.10000000149011612");
  EXPECT_EQ(shown(2.0 / 3, 2), "0.67");
  EXPECT_EQ(shown(5, 0), "5");
  EXPECT_EQ(shown(NAN, 2), "NaN");
  EXPECT_LT(shown(-std::numeric_limits<double>::max(), 1'000).size(), kNumberBytes);
}

// Spec dialects.md, row 151.
TEST(Numbers, ReadBackToTheSameBits) {
  std::mt19937_64 random(6);
  for (uint32_t round = 0; round < test::turns(200'000); ++round) {
    const uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = shown(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(std::memcmp(&back, &value, sizeof value), 0) << text;
    const auto narrow = static_cast<uint32_t>(bits);
    float small = 0, small_back = 0;
    std::memcpy(&small, &narrow, sizeof small);
    if (!std::isfinite(small)) continue;
    const std::string small_text = shown_f32(small);
    std::from_chars(small_text.data(), small_text.data() + small_text.size(), small_back);
    ASSERT_EQ(std::memcmp(&small_back, &small, sizeof small), 0) << small_text;
  }
}

// Written by hand here, with {fmt}'s digits.
TEST(Numbers, AreWhatFmtWrites) {
  std::mt19937_64 random(8);
  for (uint32_t round = 0; round < test::turns(200'000); ++round) {
    const uint64_t bits = random();
    const int power = static_cast<int>(random() % 40) - 20;
    const double parts[] = {static_cast<double>(bits % 1'000'000) / 60,
                            static_cast<double>(bits % 100'000) * std::pow(10, power),
                            std::ldexp(static_cast<double>(bits >> 11), power - 40)};
    for (const double value : parts) {
      ASSERT_EQ(shown(value), fmt::format("{}", value));
      ASSERT_EQ(shown(-value), fmt::format("{}", -value));
    }
  }
}

// More values than texts are kept of: some push others out and come again.
TEST(Numbers, ThatComeAgainHaveTheSameText) {
  std::mt19937_64 random(9);
  std::vector<double> values{0.0,
                             -0.0,
                             NAN,
                             INFINITY,
                             -INFINITY,
                             5,
                             -1.7976931348623157e308,
                             -2.2250738585072014e-308,
                             -0.00012345678901234567};
  while (values.size() < 5'000) values.push_back(std::bit_cast<double>(random()));
  RepeatedReals repeated;
  for (uint32_t round = 0; round < test::turns(100'000); ++round) {
    const double value = values[random() % values.size()];
    char text[kNumberBytes];
    ASSERT_EQ(std::string(text, repeated.put(text, value)), shown(value));
    ASSERT_EQ(std::string(text, repeated.put(text, value)), shown(value));
  }
}

TEST(IsoClock, IsIsoUtc) {
  std::mt19937_64 random(7);
  IsoClock clock;
  Stamp stamp{1'699'999'000, 0};
  for (int round = 0; round < 20'000; ++round) {
    ASSERT_EQ(clock.text(stamp), iso_utc(stamp));
    stamp.sec += static_cast<int64_t>(random() % 100) - 40;
    const int32_t choices[] = {0, 1, 1'000, 7'000'000, 999'999'999, 1'000'000'000};
    stamp.nsec = choices[random() % 6];
  }
  EXPECT_EQ(clock.text({-1, 0}), iso_utc({-1, 0}));
  EXPECT_EQ(clock.text({253'402'300'800, 0}), iso_utc({253'402'300'800, 0}));
}

}  // namespace
}  // namespace pmjit
