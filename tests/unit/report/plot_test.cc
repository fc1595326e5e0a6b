// The chart as a whole: what kind of panel, what is in it, what is said below it.
#include "runtime/report/plot/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "runtime/report/plot/chart_series.h"
#include "runtime/report/plot/scene.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

constexpr int64_t kPlotStart = 1'700'000'000;

std::string draw(Lab& lab, PlotKind kind = PlotKind::svg) {
  std::string out;
  Sink sink(out);
  lab.give(*make_plot_writer(sink, {.kind = kind}));
  return out;
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void add_times(Lab& lab, size_t times) {
  for (size_t i = 0; i < times; ++i) lab.block.times.push_back({kPlotStart + int64_t(i) * 10, 0});
}

RosterId instances(Lab& lab, size_t how_many) {
  std::vector<int32_t> ids(how_many);
  std::iota(ids.begin(), ids.end(), 0);
  for (const int32_t id : ids) lab.catalog.names[id] = "disk" + std::to_string(id);
  return lab.rosters.intern(ids);
}

// A result of so many instances at two times.
size_t add_result(Lab& lab, std::string name, size_t lanes, Units units = {}) {
  const size_t k = lab.add_column({.name = std::move(name), .units = units, .domain = kDiskDomain});
  const RosterId roster = instances(lab, lanes);
  std::vector<double> values(lanes);
  std::iota(values.begin(), values.end(), 1);
  for (size_t i = 0; i < lab.block.times.size(); ++i) lab.add_row(k, roster, values);
  return k;
}

std::vector<Panel> panels(Lab& lab) {
  const Schema schema{
      .infos = lab.infos, .host = "app1", .catalog = &lab.catalog, .rosters = &lab.rosters};
  Gather gather(schema);
  gather.add(lab.block);
  return panels_of(gather);
}

TEST(Plot, LinesUpToTheLimitAndAHeatMapBeyond) {
  for (const size_t lanes : {kLinesMax, kLinesMax + 1}) {
    Lab lab;
    add_times(lab, 2);
    add_result(lab, "disk.read", lanes);
    const std::vector<Panel> all = panels(lab);
    ASSERT_EQ(all.size(), 1);
    EXPECT_EQ(all[0].kind, lanes > kLinesMax ? Panel::Kind::heat : Panel::Kind::lines);
    EXPECT_EQ(all[0].series.size(), lanes);
    EXPECT_EQ(all[0].series.back().label, "disk" + std::to_string(lanes - 1));
  }
}

TEST(Plot, LinesOfOneUnitShareAPanel) {
  constexpr Units kKbyte{.dim_space = 1, .scale_space = 1};
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "a", 5, kKbyte);
  add_result(lab, "b", 2);
  add_result(lab, "c", 5, kKbyte);
  add_result(lab, "d", 3, kKbyte);  // would be the 13th
  add_result(lab, "e", 1);
  std::vector<std::string> titles;
  for (const Panel& panel : panels(lab)) titles.push_back(panel.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"a, c", "b", "d", "e"}));
  EXPECT_EQ(panels(lab)[0].series[5].label, "c[disk0]");
}

TEST(Plot, OfManyRowsTheLargestAndTheOthersAreCounted) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "m", kHeatRowsMax + 10);
  const Panel panel = panels(lab)[0];
  ASSERT_EQ(panel.series.size(), kHeatRowsMax);
  EXPECT_EQ(panel.series[0].label, "disk10");
  EXPECT_EQ(panel.notes[0],
            "48 of 58 instances: those with the largest values; the other 10 stay at or below 10");
}

TEST(Plot, MoreRowsThanAreKept) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "m", kHeatLanesMax + 1);
  EXPECT_NE(draw(lab).find("only the first 4096 instances were looked at"), std::string::npos);
  add_result(lab, "n", kHeatLanesMax);
  EXPECT_EQ(count(draw(lab), "48 of 2048 instances and more: those with"), 2);
}

TEST(Plot, MoreResultsThanAreDrawn) {
  Lab lab;
  add_times(lab, 2);
  for (size_t i = 0; i < kResultsMax + 2; ++i) add_result(lab, "m", 1);
  const std::string chart = draw(lab);
  EXPECT_EQ(count(chart, "class=\"panel\""), kResultsMax);
  EXPECT_NE(chart.find("2 more results are not drawn"), std::string::npos);
}

TEST(Plot, GapsAreGaps) {
  Lab lab;
  add_times(lab, 6);
  const size_t k = lab.add_column({.name = "m"});
  for (int i = 0; i < 6; ++i) {
    if (i == 2) {
      lab.add_unknown(k, -12351);
    } else {
      lab.add_row<double>(k, Rosters::kSingularId, {i == 4 ? NAN : double(i)});
    }
  }
  const std::string chart = draw(lab);
  const size_t at = chart.find("<path class=\"l\"");
  const std::string line = chart.substr(at, chart.find("/>", at) - at);
  EXPECT_EQ(count(line, "M"), 3);  // 0 and 1; 3; 5
  EXPECT_EQ(count(line, "l"), 3);  // class="l", and one line
  EXPECT_NE(chart.find("m: 1 value that is not a number (NaN), left out"), std::string::npos);
}

TEST(Plot, InfinitiesAreMarkedAtTheEdge) {
  Lab lab;
  add_times(lab, 3);
  const size_t k = lab.add_column({.name = "m"});
  for (const double value : std::vector<double>{1, INFINITY, -INFINITY}) {
    lab.add_row<double>(k, Rosters::kSingularId, {value});
  }
  const std::string chart = draw(lab);
  const size_t at = chart.find("<path class=\"mark\"");
  ASSERT_NE(at, chart.npos);
  EXPECT_EQ(count(chart.substr(at, chart.find("/>", at) - at), "z"), 2);
  EXPECT_NE(chart.find("m: 2 infinite values, marked at the edge"), std::string::npos);
}

TEST(Plot, TruthIsABand) {
  Lab lab;
  add_times(lab, 4);
  const size_t k = lab.add_column({.name = "m > 1", .elem = Elem::truth});
  for (const uint8_t value : std::vector<uint8_t>{0, 1, 1, 0})
    lab.add_row<uint8_t>(k, Rosters::kSingularId, {value});
  lab.block.columns[k].mark_invalid(3, 1);
  const std::string chart = draw(lab);
  EXPECT_EQ(count(chart, "<path class=\"t0\" d="), 1);
  EXPECT_EQ(count(chart, "<path class=\"t1\" d="), 1);
  EXPECT_NE(chart.find("m &#62; 1"), std::string::npos);
}

TEST(Plot, NoValues) {
  Lab lab;
  lab.add_column({.name = "m"});
  const std::string chart = draw(lab);
  EXPECT_NE(chart.find("no value is known"), std::string::npos);
  EXPECT_NE(chart.find("no times"), std::string::npos);
  EXPECT_EQ(draw(lab, PlotKind::html).find("\"values\""), std::string::npos);
}

TEST(Plot, NamesDoNotBecomeMarkup) {
  Lab lab;
  add_times(lab, 2);
  lab.catalog.names = {{0, "</text><script>alert(1)</script>"}, {1, "\x1b]0;\x07 & ]]>"}};
  const size_t k = lab.add_column({.name = "<b>", .domain = kDiskDomain});
  const RosterId both = lab.rosters.intern(std::vector<int32_t>{0, 1});
  for (int i = 0; i < 2; ++i) lab.add_row<double>(k, both, {1, 2});
  for (const PlotKind kind : {PlotKind::svg, PlotKind::html}) {
    const std::string chart = draw(lab, kind);
    EXPECT_EQ(chart.find("<script>alert"), chart.npos);
    EXPECT_EQ(chart.find("<b>"), chart.npos);
    EXPECT_EQ(chart.find('\x1b'), chart.npos);
  }
}

TEST(Plot, APageHasTheValues) {
  Lab lab;
  add_times(lab, 2);
  const size_t k = lab.add_column({.name = "m"});
  lab.add_row<double>(k, Rosters::kSingularId, {1.5});
  lab.add_unknown(k, -12351);
  const std::string page = draw(lab, PlotKind::html);
  EXPECT_NE(page.find("{\"label\":\"m\",\"values\":[1.5,null]}"), page.npos);
  EXPECT_NE(page.find("\"t\":[\"2023-11-14T22:13:20Z\",\"2023-11-14T22:13:30Z\"]"), page.npos);
}

TEST(Plot, KindsOfFiles) {
  EXPECT_EQ(plot_kind("a.b/c.svg"), PlotKind::svg);
  EXPECT_EQ(plot_kind("c.html"), PlotKind::html);
  EXPECT_FALSE(plot_kind("c.png"));
  EXPECT_FALSE(plot_kind("svg"));
}

TEST(Plot, TextsHaveNoPlace) {
  EXPECT_TRUE(plottable(std::vector<ResultInfo>{{.name = "a"}, {.elem = Elem::truth}}));
  const auto refused = plottable(std::vector<ResultInfo>{{.name = "a", .elem = Elem::text}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what(), "--plot: a has texts, which have no place in a chart");
}

}  // namespace
}  // namespace pmjit
