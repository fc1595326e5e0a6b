// Files of the tz database, whole and damaged.
#include "runtime/tz/file.h"

#include <gtest/gtest.h>

#include <random>

#include "runtime/base/file.h"
#include "runtime/tz/rules.h"
#include "tests/unit/turns.h"

namespace pmjit::tz {
namespace {

std::vector<std::byte> bytes_of(const std::string& name) {
  const auto file = open_file("/usr/share/zoneinfo/" + name);
  if (!file) return {};
  const auto whole = read_whole(**file, 1u << 20);
  return whole ? std::vector<std::byte>(whole->data(), whole->data() + whole->size())
               : std::vector<std::byte>{};
}

// Uses all that was read.
void convert(ZoneData data) {
  const Rules rules(std::move(data));
  for (int64_t sec : {INT64_MIN, int64_t{-5'000'000'000}, int64_t{0}, int64_t{1'711'846'800},
                      int64_t{4'102'444'799}, int64_t{50'000'000'000}, INT64_MAX}) {
    std::tm tm{};
    int64_t guess = 0;
    if (rules.local(sec, tm)) (void)make_time(rules, tm, guess);
  }
}

TEST(ZoneFile, SaysWhatTheZoneDid) {
  const auto bytes = bytes_of("Europe/Berlin");
  const auto data = read_zone_data(bytes);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->times.front(), -2'422'054'408);
  EXPECT_EQ(data->times.size(), data->kinds.size());
  EXPECT_EQ(data->types.front().east, 3'208);
  EXPECT_EQ(data->rules, "CET-1CEST,M3.5.0,M10.5.0/3");
}

TEST(ZoneFile, LeapSeconds) {
  const auto bytes = bytes_of("right/UTC");
  const auto data = read_zone_data(bytes);
  ASSERT_TRUE(data);
  ASSERT_GE(data->leaps.size(), 27u);
  EXPECT_EQ(data->leaps[26].at, 1'483'228'826);
  EXPECT_EQ(data->leaps[26].change, 27);
}

TEST(ZoneFile, EveryPrefix) {
  for (const char* name : {"Europe/Berlin", "right/Europe/Berlin", "UTC"}) {
    const auto whole = bytes_of(name);
    ASSERT_FALSE(whole.empty()) << name;
    size_t read = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      // A copy of its own: what is read beyond it shows.
      const std::vector<std::byte> part(whole.begin(), whole.begin() + ptrdiff_t(size));
      if (auto data = read_zone_data(part)) ++read, convert(*std::move(data));
    }
    EXPECT_LT(read, 40u) << name;  // only the rules behind the data are cut
  }
}

TEST(ZoneFile, FlippedBytes) {
  std::mt19937 random(1);
  for (const char* name : {"Europe/Berlin", "right/Europe/Berlin", "Asia/Tokyo"}) {
    const auto whole = bytes_of(name);
    for (size_t i = 0; i < whole.size(); i += test::kPlaceStep) {
      auto bytes = whole;
      bytes[i] ^= std::byte{static_cast<uint8_t>(1u << random() % 8)};
      if (i % 3 == 0) bytes[random() % bytes.size()] = std::byte{static_cast<uint8_t>(random())};
      if (auto data = read_zone_data(bytes)) convert(*std::move(data));
    }
  }
}

TEST(ZoneFile, CountsThatNoFileHolds) {
  auto bytes = bytes_of("UTC");
  for (size_t i = 20; i < 44; ++i) bytes[i] = std::byte{0xff};
  EXPECT_FALSE(read_zone_data(bytes));
}

}  // namespace
}  // namespace pmjit::tz
