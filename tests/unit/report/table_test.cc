#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "runtime/report/lane_stats.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

TEST(Table, SummaryAndTheFewValues) {
  Lab lab;
  for (int i = 0; i < 3; ++i) lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
  const size_t reads = lab.add_column({.name = "disk.read",
                                       .elem = Elem::f64,
                                       .units = {.dim_time = -1, .dim_count = 1, .scale_time = 3},
                                       .domain = kDiskDomain});
  const size_t hot = lab.add_column({.name = "hot", .elem = Elem::truth});
  const size_t model = lab.add_column({.name = "model", .elem = Elem::text});
  const size_t gone = lab.add_column({.name = "gone", .elem = Elem::i32});
  const RosterId both = lab.rosters.intern(std::vector<int32_t>{0, 1});
  lab.add_row<double>(reads, both, {1.25, 100});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0}), {2.5});
  lab.add_row<double>(reads, both, {1e9 / 3, 50});
  lab.block.columns[reads].mark_invalid(4, 1);
  lab.add_unknown(hot, kFirstSample);
  lab.add_row<uint8_t>(hot, Rosters::kSingularId, {0});
  lab.add_row<uint8_t>(hot, Rosters::kSingularId, {1});
  for (int i = 0; i < 3; ++i) lab.add_texts(model, {"fast\x1b[2J"});
  for (int i = 0; i < 3; ++i) lab.add_unknown(gone, -12351);
  EXPECT_EQ(lab.print("table", {.width = 100}),
            R"(host app1, 2023-11-14T22:13:20Z … 2023-11-14T22:13:40Z, 3 times

metric     instance  units               last   min          max  values  unknown  over time
disk.read  sda       count / sec  333333333.3  1.25  333333333.3       3           ▁▁█
disk.read  sd,b      count / sec          100   100          100       1        1  ▄··
hot                                      true  true          1/2       2        1  ·▁█
model                                fast?[2J                          3
gone                                        ?                          0        3

values           22:13:20Z  22:13:30Z    22:13:40Z
disk.read[sda]        1.25        2.5  333333333.3
disk.read[sd,b]        100                       ?
hot                      ?      false         true
model             fast?[2J   fast?[2J     fast?[2J
)");
}

TEST(Table, ReasonsStandBelow) {
  Lab lab;
  for (int i = 0; i < 3; ++i) lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
  const size_t reads = lab.add_column({.name = "disk.read", .domain = kDiskDomain});
  lab.add_unknown(reads, kFirstSample);
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0, 1}), {1, 2});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0, 1}), {1, 2});
  lab.block.columns[reads].mark_invalid(0, 3);
  // The last is of no row.
  lab.block.reasons = {{{0, kReset}, {1, kNoValue}, {2, kReset}, {7, kReset}}};
  const std::string printed = lab.print("table", {.reasons = true});
  EXPECT_EQ(printed.substr(printed.find("\nmetric     unknown")), R"(
metric     unknown  because
disk.read        2  first sample: nothing to compare with
disk.read        1  no value
disk.read        2  the counter was reset
)");
  EXPECT_EQ(Lab().print("table", {.reasons = true}).find("because"), std::string::npos);
}

TEST(Table, ManyTimesAreSummarisedOnly) {
  Lab lab;
  const size_t a = lab.add_column({.name = "a", .elem = Elem::i32});
  for (int i = 0; i < 100; ++i) {
    lab.block.times.push_back({1'700'000'000 + i, 0});
    lab.add_row<int32_t>(a, Rosters::kSingularId, {i});
  }
  EXPECT_EQ(lab.print("table"), R"(host app1, 2023-11-14T22:13:20Z … 2023-11-14T22:14:59Z, 100 times

metric  instance  units  last  min  max  values  unknown  over time
a                          99    0   99     100           ▁▁▂▃▃▄▅▅▆▇▇██
)");
}

size_t widest_line(const std::string& text) {
  size_t out = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    out = std::max(out, display_width(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

TEST(Table, NamesAreWorthMoreThanTimes) {
  Lab lab;
  const std::string name = "disk.read > 200 && disk.write > 200 ? 1.5 : 0";
  const size_t a = lab.add_column({.name = name, .elem = Elem::i32, .domain = kDiskDomain});
  const RosterId both = lab.rosters.intern(std::vector<int32_t>{0, 1});
  for (int i = 0; i < 5; ++i) {
    lab.block.times.push_back({1'700'000'000 + i, 123'456'789});
    lab.add_row<int32_t>(a, both, {i, 10 * i});
  }
  const std::string out = lab.print("table", {.width = 90});
  EXPECT_EQ(out.substr(out.find("\nvalues") + 1),
            R"(values                                               22:13:20.123Z  22:13:21.123Z
disk.read > 200 && disk.write > 200 ? 1.5 : 0[sda]               0              1
disk.read > 200 && disk.write > 200 ? 1.5 : 0[sd,b]              0             10
… and at 3 more times: csv and json have them all
)");
  const std::string narrow = lab.print("table", {.width = 60});
  EXPECT_EQ(narrow.substr(narrow.find("\nvalues") + 1),
            R"(values                                         22:13:20.123Z
disk.read > 200 && disk.write > 200 ? 1…[sda]              0
disk.read > 200 && disk.write > 200 ? …[sd,b]              0
… and at 4 more times: csv and json have them all
)");
  EXPECT_LE(widest_line(out), 90u);
}

TEST(Table, NamesAreWorthMoreThanPicturesAndExtremes) {
  Lab lab;
  const ResultInfo info{.name = "network.interface.in.bytes", .elem = Elem::f64};
  const size_t a = lab.add_column(info);
  for (int i = 0; i < 24; ++i) {
    lab.block.times.push_back({1'700'000'000 + i, 0});
    lab.add_row<double>(a, Rosters::kSingularId, {1e12 + i});
  }
  const auto line = [&](int width) {
    const std::string out = lab.print("table", {.width = width});
    const size_t at = out.find("\nnetwork");
    return out.substr(at + 1, out.find('\n', at + 1) - at - 1);
  };
  const std::string start = "network.interface.in.bytes                   1000000000023  ";
  const std::string extremes = "1000000000000  1000000000023  ";
  EXPECT_EQ(line(142), start + extremes + "    24           ▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███");
  EXPECT_EQ(line(130), start + extremes + "    24           ▁▂▄▅▇█");
  EXPECT_EQ(line(105), start + "    24           ▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███");
  EXPECT_EQ(line(86), start + "    24           ▁▂▄▅▇█");
  EXPECT_EQ(line(76), start + "    24");
  EXPECT_NE(
      lab.print("table", {.width = 76}).find("\n… there is no room for min, max and a picture\n"),
      std::string::npos);
}

TEST(Table, TimesWithinAMillisecondAreToldApart) {
  Lab lab;
  const size_t a = lab.add_column({.name = "a", .elem = Elem::i32});
  for (int i = 0; i < 2; ++i) {
    lab.block.times.push_back({1'700'000'000, 1'000'000 + 1000 * i});
    lab.add_row<int32_t>(a, Rosters::kSingularId, {i});
  }
  const std::string out = lab.print("table", {.width = 100});
  EXPECT_NE(out.find("22:13:20.001Z"), std::string::npos);
  EXPECT_NE(out.find("22:13:20.001001Z"), std::string::npos);
}

TEST(Table, NoTimesAtAll) {
  Lab lab;
  lab.add_column({.name = "a", .elem = Elem::i32});
  EXPECT_EQ(lab.print("table"),
            "host app1, 0 times\n\n"
            "metric  instance  units  last  min  max  values  unknown  over time\n"
            "a                           ?                 0\n");
}

TEST(Picture, KeepsItsCellsWhateverTheNumberOfTimes) {
  Picture picture;
  for (uint64_t i = 0; i < 1'000'000; ++i) picture.add(i, 1);
  const auto cells = picture.cells(1'000'000, Picture::kCells);
  EXPECT_LE(cells.size(), Picture::kCells);
  EXPECT_GT(cells.size(), Picture::kCells / 2);
  for (const auto& cell : cells) EXPECT_EQ(cell, 1.0);
}

TEST(Picture, PausesAreHoles) {
  Picture picture;
  picture.add(0, 2);
  picture.add(40, 4);
  picture.add(41, NAN);
  const auto cells = picture.cells(48, Picture::kCells);
  ASSERT_EQ(cells.size(), 24u);
  EXPECT_EQ(cells[0], 2.0);
  EXPECT_FALSE(cells[1]);
  EXPECT_EQ(cells[20], 4.0);
  EXPECT_EQ(Picture().cells(0, Picture::kCells).size(), 0u);
  EXPECT_EQ(picture.cells(48, 8).size(), 6u);
  EXPECT_EQ(picture.cells(48, 8)[0], 2.0);
}

TEST(Human, Numbers) {
  EXPECT_EQ(human_number(0, {}), "0");
  EXPECT_EQ(human_number(-0.0, {}), "0");
  EXPECT_EQ(human_number(1e12, {}), "1000000000000");
  EXPECT_EQ(human_number(1234.5678, {}), "1234.6");
  EXPECT_EQ(human_number(12.345678, {}), "12.346");
  EXPECT_EQ(human_number(0.0123456, {}), "0.0123");
  EXPECT_EQ(human_number(1.5e-7, {}), "1.5e-07");
  EXPECT_EQ(human_number(3e20, {}), "3e+20");
  EXPECT_EQ(human_number(INFINITY, {}), "inf");
  EXPECT_EQ(human_number(2, 3), "2.000");
}

// There is room for 10,000 lanes.
TEST(Table, WhichLanesAreShownDoesNotDependOnBlocks) {
  constexpr int32_t kTimes = 3, kNew = 2'000;
  const auto print = [](size_t times_a_block) {
    Lab lab;
    for (const char* name : {"a", "b"}) lab.add_column({.name = name, .domain = kDiskDomain});
    std::string out;
    Sink sink(out);
    const auto writer = find_format("table")->make(sink, {});
    writer->begin(
        {.infos = lab.infos, .host = "app1", .catalog = &lab.catalog, .rosters = &lab.rosters});
    for (int32_t time = 0; time < kTimes; ++time) {
      lab.block.times.push_back({kNoon.sec + time, 0});
      std::vector<int32_t> instances(kNew);
      std::iota(instances.begin(), instances.end(), time * kNew);
      const std::vector<double> values(kNew, time);
      for (const size_t metric : {0U, 1U})
        lab.add_row(metric, lab.rosters.intern(instances), values);
      if (lab.block.times.size() < times_a_block && time + 1 < kTimes) continue;
      EXPECT_TRUE(write(*writer, lab.block));
      lab.block.times.clear();
      for (Column& column : lab.block.columns) {
        column = {};
        column.elem = Elem::f64;
      }
    }
    EXPECT_TRUE(writer->end());
    return out;
  };
  const std::string whole = print(kTimes);
  EXPECT_TRUE(whole.contains("and more instances than 10000"));
  EXPECT_EQ(print(1), whole);
  EXPECT_EQ(print(2), whole);
}

TEST(Human, WidthIsThatOfTheTerminal) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("é"), 1u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);  // a combining accent
  EXPECT_EQ(display_width("磁盘"), 4u);
  EXPECT_EQ(fit("abcdef", 4), "abc…");
  EXPECT_EQ(fit("磁盘盘", 4), "磁…");
  EXPECT_EQ(fit("a\x1b[31m", 10), "a?[31m");
  EXPECT_EQ(fit("abc", 0), "");
}

TEST(Human, Sparklines) {
  using Values = std::vector<std::optional<double>>;
  EXPECT_EQ(sparkline(Values{0.0, 7.0, std::nullopt, 3.5}), "▁█·▅");
  EXPECT_EQ(sparkline(Values{0.0, 0.0}), "▁▁");
  EXPECT_EQ(sparkline(Values{5.0}), "▄");
  EXPECT_EQ(sparkline(Values{-1.7e308, 1.7e308}), "▁█");
  EXPECT_EQ(sparkline(Values{}), "");
}

TEST(Grid, ShrinksTheWidestThatMay) {
  Grid grid({{.text = "name", .shrinks = true}, {.text = "value", .right = true}});
  grid.add({std::string(50, 'n'), "1234567890"});
  EXPECT_EQ(grid.text(30, {}), "name                     value\nnnnnnnnnnnnnnnnnn…  1234567890\n");
  EXPECT_EQ(display_width(grid.text(5, {}).substr(0, grid.text(5, {}).find('\n'))),
            20u);  // not below what can be read
}

}  // namespace
}  // namespace pmjit
