// Times and windows against the reference's own answers, and our ISO extension.
#include "runtime/text/window.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/text/date_text.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

Stamp stamp_of(const std::string& text) {
  if (text == "MAX") return kStampMax;
  const size_t dot = text.find('.');
  return {std::stoll(text.substr(0, dot)), std::stoi(text.substr(dot + 1))};
}

std::string text_of(Stamp s) {
  return s == kStampMax ? "MAX.000000000" : fmt::format("{}.{:09}", s.sec, s.nsec);
}

std::string shown(const Result<Window>& window) {
  if (!window) return "-1 " + window.error().what();
  return fmt::format("{} {} {} {} {}", window->aligned ? 1 : 0, text_of(window->start),
                     text_of(window->end), text_of(window->origin),
                     window->warning.empty() ? "(null)" : window->warning);
}

constexpr int64_t kNow = 1'710'540'000;
Result<Window> parsed(const WindowSpec& spec, Stamp start, Stamp end,
                      std::string_view zone_name = "UTC") {
  Zone zone(zone_name);
  return parse_window(spec, {.start = start, .end = end, .now = kNow}, zone);
}

TEST(Window, IsTheReferences) {
  const auto rows = read_vectors("timewindow.tsv");
  size_t equal = 0;
  for (const VectorRow& row : rows) {
    const auto option = [&](size_t i) -> std::optional<std::string_view> {
      return row[i] == "(null)" ? std::nullopt : std::optional<std::string_view>(row[i]);
    };
    const auto window =
        parsed({.start = option(0), .finish = option(1), .align = option(2), .origin = option(3)},
               stamp_of(row[4]), stamp_of(row[5]));
    const std::string expected =
        row[6] == "-1" ? "-1 " + row[10]
                       : row[6] + " " + row[7] + " " + row[8] + " " + row[9] + " " + row[10];
    EXPECT_EQ(shown(window), expected) << row[0] << "|" << row[1] << "|" << row[2] << "|" << row[3];
    equal += shown(window) == expected;
  }
  fmt::print("timewindow.tsv: {} of {}\n", equal, rows.size());
  EXPECT_GT(rows.size(), 380u);
}

// What PCP 6.0.3 answers where the tables are silent.
TEST(Window, AWholeSecondOfNanosecondsIsNotCarried) {
  EXPECT_EQ(parsed({.start = "0.5"}, {5, 500'000'000}, {100, 0})->start, (Stamp{5, 1'000'000'000}));
  EXPECT_EQ(parsed({.start = "0.5"}, {5, 500'000'001}, {100, 0})->start, (Stamp{6, 1}));
  EXPECT_EQ(parsed({.start = "-0.9999999999"}, {5, 0}, {100, 0})->start, (Stamp{99, 0}));
}

TEST(Window, ALaterTimeTakesTheMessageAway) {
  const auto window = parsed({.finish = "10", .align = "7d"}, {1'000, 0}, {2'000, 0});
  EXPECT_FALSE(window->aligned);
  EXPECT_EQ(window->warning, "");
}

TEST(Window, MicrosecondsAreCutOffAtBothEnds) {
  Zone zone("UTC");
  const auto window = parse_micro_window(
      {.start = "0.9999996"}, {.start = {10, 123'456'789}, .end = {20, 0}, .now = 0}, zone);
  EXPECT_EQ(window->start, (Stamp{11, 123'455'000}));
}

// What is a nanosecond behind a multiple is aligned to the next one.
TEST(Window, MicrosecondsAreCutOffAtTheEnd) {
  Zone zone("UTC");
  const auto window = parse_window({.align = "0.000002"},
                                   {.start = {10, 123'456'001}, .end = {20, 0}, .now = 0}, zone);
  EXPECT_EQ(cut_to_microseconds(*window).start, (Stamp{10, 123'458'000}));
  EXPECT_EQ(cut_to_microseconds({.start = {1, 1'999}, .end = {2, 999}, .origin = {}}).start,
            (Stamp{1, 1'000}));
}

TEST(Window, SaysWhatItUnderstands) {
  const auto window = parsed({.start = "half past ten"}, {1'000, 0}, {2'000, 0});
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().fault(), Fault::usage);
  EXPECT_EQ(window.error().place(), "option -S");
  EXPECT_NE(window.error().help().find("2 hours ago"), std::string::npos);
}

TEST(Window, StrictlyAnOffsetIsAsLongAsItSays) {
  const auto strict = [](WindowSpec spec) {
    spec.strict = true;
    return parsed(spec, {1'000, 0}, {2'000, 0});
  };
  EXPECT_EQ(strict({.start = "1e18", .finish = "9e18"})->end, (Stamp{2'000, 0}));
  EXPECT_EQ(strict({.finish = "-9e18"})->end.sec, 2'000 - 9'000'000'000'000'000'000);
  EXPECT_FALSE(strict({.finish = "nan"}));
  EXPECT_EQ(parsed({.start = "4294967301"}, {1'000, 0}, {2'000, 0})->start, (Stamp{1'005, 0}));
}

TEST(Window, StrictlyIsoIsIso) {
  EXPECT_EQ(parsed({.start = "2024-03-15T12:00:00Z", .strict = true}, {0, 0}, kStampMax)->start.sec,
            1'710'504'000);
  // The T is military time seven hours behind, and its clock says 12:00.
  EXPECT_EQ(parsed({.start = "2024-03-15T12:00"}, {0, 0}, kStampMax)->start.sec, 1'710'478'800);
}

TEST(Window, CtimeFormsFollowTheZone) {
  // 2024-03-15 10:53:20 UTC is 06:53:20 there, in summer time.
  const char* east_coast = "EST5EDT,M3.2.0,M11.1.0";
  const auto window =
      parsed({.start = "@7:00"}, {1'710'500'000, 0}, {1'710'586'400, 0}, east_coast);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->start, (Stamp{1'710'500'400, 0}));
  // Winter's clock applies to a winter date.
  Zone zone(east_coast);
  int64_t guess = 0;
  EXPECT_EQ(parse_ctime("Jan 15 00:00 2024", {1'710'500'000, 0}, zone, guess),
            (Stamp{1'705'294'800, 0}));
  EXPECT_FALSE(parse_ctime("11:00pmz", {1'710'500'000, 0}, zone, guess));
}

TEST(IsoText, ReadsWhatWePrint) {
  const Zone zone("UTC");
  for (const Stamp stamp : {Stamp{0, 0}, Stamp{1'700'000'000, 5}, Stamp{1'700'000'000, 120'000'000},
                            Stamp{-1, 999'999'999}, Stamp{253'402'300'799, 1'000}}) {
    EXPECT_EQ(parse_iso(iso_utc(stamp), zone), stamp) << iso_utc(stamp);
  }
}

TEST(IsoText, ZonesAndShortForms) {
  const Zone zone("UTC");
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20+01:00", zone)->sec, 1'699'996'400);
  EXPECT_EQ(parse_iso("2023-11-14 22:13:20 -0130", zone)->sec, 1'700'005'400);
  EXPECT_EQ(parse_iso("2023-11-14T22:13", zone)->sec, 1'699'999'980);
  EXPECT_EQ(parse_iso("2023-11-14", zone)->sec, 1'699'920'000);
  EXPECT_EQ(parse_iso("2024-02-29T00:00Z", zone)->sec, 1'709'164'800);
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20.1234567899Z", zone)->nsec, 123'456'789);
  const Zone east("XST-2");
  EXPECT_EQ(parse_iso("2023-11-14T22:13:20", east)->sec, 1'699'992'800);
}

TEST(IsoText, EverythingElseIsAnotherForm) {
  const Zone zone;
  for (std::string_view text :
       {"", "2023", "2023-11", "2023-11-31", "2023-02-29", "2023-13-01", "2023-00-10",
        "2023-11-14T", "2023-11-14T22", "2023-11-14T24:00", "2023-11-14T22:60",
        "2023-11-14T22:13:20.", "2023-11-14T22:13:20Zx", "2023-11-14T22:13:20+1", "23-11-14",
        "2023-11-14 EST", "2023/11/14"}) {
    EXPECT_FALSE(parse_iso(text, zone)) << text;
  }
}

}  // namespace
}  // namespace pmjit
