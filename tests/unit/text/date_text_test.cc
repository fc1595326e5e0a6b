// Free-format dates: what PCP 6.0.3 answers, form by form.
#include "runtime/text/date_text.h"

#include <gtest/gtest.h>

#include "runtime/model/stamp.h"

namespace pmjit {
namespace {

// Friday 2024-03-15: from 10:53:20, for a month; the wall clock says 22:00.
constexpr DateBases kBases{.start = 1'710'500'000, .end = 1'713'178'400, .now = 1'710'540'000};

std::string read(std::string_view text, std::string_view zone_name = "UTC") {
  Zone zone(zone_name);
  const auto sec = parse_date(text, kBases, zone);
  return sec ? iso_utc({*sec, 0}) : "none";
}

struct Row {
  std::string_view text, time;
};

TEST(DateText, Dates) {
  for (const Row& row : {Row{"3/20", "2024-03-20T00:00:00Z"},
                         {"3/20/70", "1970-03-20T00:00:00Z"},
                         {"3/20/68", "2068-03-20T00:00:00Z"},
                         {"2024/3/20", "2024-03-20T00:00:00Z"},
                         {"99/3/20", "none"},
                         {"2024-3-20", "2024-03-20T00:00:00Z"},
                         {"20-mar-24", "2024-03-20T00:00:00Z"},
                         {"20 march 24", "2024-03-20T00:00:00Z"},
                         {"Sep. 4", "2024-09-04T00:00:00Z"},
                         {"sept 4", "2024-09-04T00:00:00Z"},
                         {"sept. 4", "none"},
                         {"mar 20, 24", "2024-03-20T00:00:00Z"},
                         {"20240320 12:00", "2024-03-20T12:00:00Z"},
                         {"20240320 2025", "2024-03-20T20:25:00Z"},
                         {"20240320 12:00 2025", "2025-03-20T12:00:00Z"},
                         {"feb 29, 2023", "none"},
                         {"1969-12-31", "none"},
                         {"3000-1-1", "3000-01-08T00:00:00Z"},  // every fourth year has a leap day
                         {"1/1 2/2", "none"}}) {
    EXPECT_EQ(read(row.text), row.time) << row.text;
  }
}

TEST(DateText, TimesAndZones) {
  for (const Row& row :
       {Row{"12:30 (of (the) day) pm", "2024-03-15T12:30:00Z"},
        {"12am", "2024-03-15T00:00:00Z"},
        {"0am", "none"},
        {"1 p.m.", "2024-03-15T13:00:00Z"},
        {"12:00 +0530", "2024-03-15T06:30:00Z"},
        {"12:00 -2 hours", "2024-03-15T13:02:00Z"},   // two minutes west, an hour on
        {"12:00 - 2 hours", "2024-03-15T14:00:00Z"},  // a lone sign is nothing
        {"12:00 e.s.t.", "2024-03-15T17:00:00Z"},
        {"12:00 edt", "2024-03-15T16:00:00Z"},
        {"12:00 est dst", "2024-03-15T16:00:00Z"},
        {"12:00 dst", "none"},
        {"5x", "2024-03-14T18:00:00Z"},
        {"5j", "none"},
        {"12:00:60", "none"},
        {"1200", "2024-03-15T12:00:00Z"},
        {"est gmt", "none"}}) {
    EXPECT_EQ(read(row.text), row.time) << row.text;
  }
}

TEST(DateText, DaysAndRelatives) {
  for (const Row& row : {Row{"monday", "2024-03-18T00:00:00Z"},
                         {"next monday", "2024-03-25T00:00:00Z"},
                         {"last friday", "2024-03-08T00:00:00Z"},
                         {"monday, 12:00", "2024-03-18T12:00:00Z"},
                         {"tomorrow 5pm", "2024-03-16T17:00:00Z"},
                         {"tomorrow monday", "2024-03-18T00:00:00Z"},
                         {"tomorrow tomorrow", "none"},
                         {"now", "2024-03-15T22:00:00Z"},
                         {"hour", "2024-03-15T23:00:00Z"},
                         {"2 hours", "2024-03-15T12:53:20Z"},             // from the start
                         {"2 hours ago", "2024-04-15T08:53:20Z"},         // from the end
                         {"1 hour 1 day ago", "2024-04-14T09:53:20Z"},    // all of it
                         {"2024-01-31 1 month", "1970-01-01T00:59:59Z"},  // no such day
                         {"this day", "2024-03-16T10:53:20Z"},
                         {"ago", "none"},
                         {"second hour", "2024-03-15T11:53:21Z"},
                         {"", "2024-03-15T00:00:00Z"},
                         {"monday tuesday", "none"}}) {
    EXPECT_EQ(read(row.text), row.time) << row.text;
  }
}

TEST(DateText, SummerTimeIsAnHourWhateverTheZone) {
  EXPECT_EQ(read("1/20 12:00", "EST5EDT"), "2024-01-20T17:00:00Z");
  EXPECT_EQ(read("7/20 12:00", "EST5EDT"), "2024-07-20T16:00:00Z");
  EXPECT_EQ(read("3/10/24 2:30", "EST5EDT"), "2024-03-10T06:30:00Z");
  EXPECT_EQ(read("7/20 12:00", "Australia/Lord_Howe"), "2024-07-20T02:00:00Z");
  EXPECT_EQ(read("8 month 3/10/24", ":Europe/Berlin"), "2024-11-09T23:00:00Z");
}

TEST(DateText, WithoutAnEndTheStartIsTheBase) {
  Zone zone("UTC");
  const DateBases bases{.start = 1'000'000, .end = std::nullopt, .now = 0};
  EXPECT_EQ(parse_date("1 hour ago", bases, zone), 1'000'000 - 3'600);
}

}  // namespace
}  // namespace pmjit
