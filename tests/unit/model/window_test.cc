// Intervals, times and windows against the reference's own answers, and our ISO extension.
#include "runtime/model/window.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <set>

#include "runtime/model/clock_text.h"
#include "runtime/model/interval.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

// The zone of the process, set for one test.
class Zone {
 public:
  explicit Zone(const char* name) {
    setenv("TZ", name, 1);
    tzset();
  }
  ~Zone() {
    unsetenv("TZ");
    tzset();
  }
};

Stamp stamp_of(const std::string& text) {
  if (text == "MAX") return kStampMax;
  const size_t dot = text.find('.');
  return {std::stoll(text.substr(0, dot)), std::stoi(text.substr(dot + 1))};
}

std::string text_of(Stamp s) {
  return s == kStampMax ? "MAX.000000000" : fmt::format("{}.{:09}", s.sec, s.nsec);
}

TEST(Interval, IsTheReferences) {
  // The reference wraps for these, we refuse: its answer is what a conversion out of range happens
  // to give.
  const std::set<std::string> refused{"nan", "9223372036854775807", "9223372036854775808"};
  const auto rows = read_vectors("interval.tsv");
  ASSERT_GT(rows.size(), 120u);
  for (const VectorRow& row : rows) {
    const auto parsed = parse_interval(row[0]);
    if (row[1] == "0" && !refused.contains(row[0])) {
      ASSERT_TRUE(parsed) << row[0] << "\n" << parsed.error().what();
      // The vectors print the nanoseconds with nine digits at least.
      EXPECT_EQ(fmt::format("{}.{:09}", parsed->sec, parsed->nsec), row[2]) << row[0];
    } else {
      ASSERT_FALSE(parsed) << row[0];
      if (refused.contains(row[0])) continue;
      EXPECT_EQ(parsed.error().what(), row[4]) << row[0];
    }
  }
}

// Forms of archives.md §17.4 that we refuse. ISO dates, with or without a zone, are not among them.
const std::set<std::string>& free_format() {
  static const std::set<std::string> texts{"2024-03-15 12:00 EST",
                                           "15 Mar 2024 12:00",
                                           "Mar 15, 2024 13:00",
                                           "3/15/2024 14:00",
                                           "2024/03/15 14:00",
                                           "20240315 12:00",
                                           "@20240315 15:00",
                                           "1 hour ago",
                                           "@1 hour ago",
                                           "2 hours ago",
                                           "1 day ago",
                                           "last hour",
                                           "last day",
                                           "next hour",
                                           "@next hour",
                                           "@10 minutes",
                                           "1 hour 10 minutes ago",
                                           "1 week ago",
                                           "1 month ago",
                                           "1 year ago"};
  return texts;
}

std::string shown(const Result<Window>& window) {
  if (!window) return "-1 " + window.error().what();
  return fmt::format("{} {} {} {} {}", window->warning.empty() ? 1 : 0, text_of(window->start),
                     text_of(window->end), text_of(window->origin),
                     window->warning.empty() ? "(null)" : window->warning);
}

TEST(Window, IsTheReferences) {
  const Zone zone("UTC");
  const auto rows = read_vectors("timewindow.tsv");
  ASSERT_GT(rows.size(), 380u);
  size_t skipped = 0;
  for (const VectorRow& row : rows) {
    const auto option = [&](size_t i) -> std::optional<std::string_view> {
      return row[i] == "(null)" ? std::nullopt : std::optional<std::string_view>(row[i]);
    };
    const auto window = parse_window(
        {.start = option(0), .finish = option(1), .align = option(2), .origin = option(3)},
        stamp_of(row[4]), stamp_of(row[5]));
    if (free_format().contains(row[0]) || free_format().contains(row[1]) ||
        free_format().contains(row[3])) {
      ASSERT_FALSE(window) << row[0] << row[1] << row[3];
      EXPECT_EQ(window.error().fault(), Fault::unsupported);
      ++skipped;
      continue;
    }
    const std::string expected =
        row[6] == "-1" ? "-1 " + row[10]
                       : row[6] + " " + row[7] + " " + row[8] + " " + row[9] + " " + row[10];
    EXPECT_EQ(shown(window), expected) << row[0] << "|" << row[1] << "|" << row[2] << "|" << row[3];
  }
  EXPECT_EQ(skipped, 3 * free_format().size());  // as -S, as -T and as -O
}

TEST(Window, SaysWhatItUnderstands) {
  const auto window = parse_window({.start = "2 hours ago"}, {1'000, 0}, {2'000, 0});
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().fault(), Fault::unsupported);
  EXPECT_EQ(window.error().place(), "option -S");
  EXPECT_NE(window.error().help().find("2023-11-14T22:13:20Z"), std::string::npos);
}

TEST(Window, FarAwayTimesAreClampedToTheRecording) {
  const auto window = parse_window({.start = "1e18", .finish = "9e18"}, {1'000, 0}, {2'000, 0});
  ASSERT_TRUE(window);
  EXPECT_EQ(window->end, (Stamp{2'000, 0}));
  EXPECT_EQ(parse_window({.finish = "-9e18"}, {1'000, 0}, {2'000, 0})->end.sec,
            2'000 - 9'000'000'000'000'000'000);
}

TEST(Window, CtimeFormsFollowTheZone) {
  const Zone zone("EST5EDT,M3.2.0,M11.1.0");
  // 2024-03-15 10:53:20 UTC is 06:53:20 there, in summer time.
  const auto window = parse_window({.start = "@7:00"}, {1'710'500'000, 0}, {1'710'586'400, 0});
  ASSERT_TRUE(window);
  EXPECT_EQ(window->start, (Stamp{1'710'500'400, 0}));
  // Winter's clock applies to a winter date.
  EXPECT_EQ(parse_ctime("Jan 15 00:00 2024", {1'710'500'000, 0}), (Stamp{1'705'294'800, 0}));
}

TEST(IsoText, ReadsWhatWePrint) {
  for (const Stamp stamp : {Stamp{0, 0}, Stamp{1'700'000'000, 5}, Stamp{1'700'000'000, 120'000'000},
                            Stamp{-1, 999'999'999}, Stamp{253'402'300'799, 1'000}}) {
    EXPECT_EQ(parse_iso(iso_utc(stamp)), stamp) << iso_utc(stamp);
  }
}

TEST(IsoText, ZonesAndShortForms) {
  const Zone zone("UTC");
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20+01:00")->sec, 1'699'996'400);
  EXPECT_EQ(parse_iso("2023-11-14 22:13:20 -0130")->sec, 1'700'005'400);
  EXPECT_EQ(parse_iso("2023-11-14T22:13")->sec, 1'699'999'980);
  EXPECT_EQ(parse_iso("2023-11-14")->sec, 1'699'920'000);
  EXPECT_EQ(parse_iso("2024-02-29T00:00Z")->sec, 1'709'164'800);
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20.1234567899Z")->nsec, 123'456'789);
  const Zone east("XST-2");
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20")->sec, 1'699'992'800);
}

TEST(IsoText, EverythingElseIsAnotherForm) {
  for (std::string_view text :
       {"", "2023", "2023-11", "2023-11-31", "2023-02-29", "2023-13-01", "2023-00-10",
        "2023-11-14T", "2023-11-14T22", "2023-11-14T24:00", "2023-11-14T22:60",
        "2023-11-14T22:13:20.", "2023-11-14T22:13:20Zx", "2023-11-14T22:13:20+1", "23-11-14",
        "2023-11-14 EST", "2023/11/14"}) {
    EXPECT_FALSE(parse_iso(text)) << text;
  }
}

}  // namespace
}  // namespace pmjit
