// Durations and sizes as text.
#include "rules/daemon_config/quantities.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

int64_t ms_of(std::string_view text) {
  const auto duration = read_duration(text);
  return duration ? duration->count() : -1;
}

TEST(Duration, HasUnits) {
  EXPECT_EQ(ms_of("10s"), 10'000);
  EXPECT_EQ(ms_of("1h30m"), 5'400'000);
  EXPECT_EQ(ms_of("5 min"), 300'000);
  EXPECT_EQ(ms_of("800ms"), 800);
  EXPECT_EQ(ms_of("1w 2d 3h 4min 5s 6ms"), 788'645'006);
  EXPECT_EQ(ms_of("0s"), 0);
  EXPECT_EQ(ms_of("1000000d"), 86'400'000'000'000);
}

TEST(Duration, RefusesWhatIsUnclear) {
  for (const char* text : {"", "10", "s", "1.5h", "-1s", "10 S", "10sec", "1s1h", "1s1s", "1m1min",
                           "10s x", " 10s", "1000001d", "99999999999999999999s", "10s 5"}) {
    EXPECT_EQ(ms_of(text), -1) << text;
  }
}

TEST(Size, HasUnits) {
  EXPECT_EQ(read_size("64 MiB"), 67'108'864u);
  EXPECT_EQ(read_size("1kB"), 1'000u);
  EXPECT_EQ(read_size("0B"), 0u);
  EXPECT_EQ(read_size("2 TB"), 2'000'000'000'000u);
  for (const char* text :
       {"", "64", "MiB", "64 mib", "64 MiBs", "1 MiB 1 KiB", "-1B", "99999999999 TiB"}) {
    EXPECT_EQ(read_size(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace pmjit
