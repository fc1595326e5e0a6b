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

std::string draw(Lab& lab, PlotKind kind = PlotKind::svg, ChartFacts facts = {},
                 std::vector<HostPauses> pauses = {}) {
  std::string out;
  Sink sink(out);
  const auto writer = make_plot_writer(sink, {.kind = kind, .pauses = std::move(pauses)});
  writer->set_facts(std::move(facts));
  lab.give(*writer);
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
  return panels_of(gather, {});
}

std::vector<std::string> titles(Lab& lab) {
  std::vector<std::string> out;
  for (const Panel& panel : panels(lab)) {
    const std::string head = panel.head.empty() ? "" : panel.head + ": ";
    out.push_back(head + (panel.small ? "small " : "") + panel.title);
  }
  return out;
}

using Titles = std::vector<std::string>;
constexpr Units kPlotKbyte{.dim_space = 1, .scale_space = 1};

TEST(Plot, LinesThenSmallPanelsThenAHeatMap) {
  for (const size_t lanes : {kTogetherMax, kTogetherMax + 1, kLinesMax, kLinesMax + 1}) {
    Lab lab;
    add_times(lab, 2);
    add_result(lab, "disk.read", lanes);
    const std::vector<Panel> all = panels(lab);
    const bool small = lanes > kTogetherMax && lanes <= kLinesMax;
    ASSERT_EQ(all.size(), small ? lanes : 1);
    EXPECT_EQ(all[0].kind, lanes > kLinesMax ? Panel::Kind::heat : Panel::Kind::lines);
    EXPECT_EQ(all[0].small, small);
    if (!small) {
      EXPECT_EQ(all[0].series.size(), lanes);
    }
  }
}

TEST(Plot, SmallPanelsOfInstancesHaveOneScale) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "disk.read", kTogetherMax + 1);
  const std::vector<Panel> all = panels(lab);
  EXPECT_EQ(all[0].head, "disk.read");
  EXPECT_EQ(all[1].head, "");
  EXPECT_EQ(all[1].title, "disk1");
  EXPECT_EQ(all[1].series[0].full, "disk.read[disk1]");
  for (const Panel& panel : all) EXPECT_EQ(panel.axis.high, all[0].axis.high);
}

TEST(Plot, TooManySmallPanelsAreHeatMaps) {
  for (const size_t metrics : {size_t{3}, size_t{4}}) {
    Lab lab;
    add_times(lab, 2);
    for (size_t i = 0; i < metrics; ++i) add_result(lab, "m" + std::to_string(i), 8);
    add_result(lab, "few", 2);
    const std::vector<Panel> all = panels(lab);
    EXPECT_EQ(all.size(), metrics == 3 ? kInstancesMost + 1 : metrics + 1);
    EXPECT_EQ(all[0].kind, metrics == 3 ? Panel::Kind::lines : Panel::Kind::heat);
    EXPECT_EQ(all.back().kind, Panel::Kind::lines);
  }
}

TEST(Plot, MetricsOfOneParentAndUnitShareAPanel) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "disk.dev.read_bytes", 2, kPlotKbyte);
  add_result(lab, "mem.used", 1, kPlotKbyte);
  add_result(lab, "disk.dev.write_bytes", 2, kPlotKbyte);
  add_result(lab, "used", 1, kPlotKbyte);
  add_result(lab, "disk.dev.queue", 2);
  add_result(lab, "x + y", 1, kPlotKbyte);
  EXPECT_EQ(titles(lab), Titles({"disk.dev", "disk.dev.queue", "mem.used", "used", "x + y"}));
  const Panel panel = panels(lab)[0];
  EXPECT_EQ(panel.series[1].label, "read_bytes[disk1]");
  EXPECT_EQ(panel.series[3].full, "disk.dev.write_bytes[disk1]");
}

TEST(Plot, PanelsOfOneParentDifferByTheirUnits) {
  Lab lab;
  add_times(lab, 2);
  constexpr Units kCount{.dim_count = 1};
  for (const char* const name : {"disk.dev.read", "disk.dev.write"}) {
    add_result(lab, name, 2, kCount);
  }
  for (const char* const name : {"disk.dev.read_bytes", "disk.dev.write_bytes"}) {
    add_result(lab, name, 2, kPlotKbyte);
  }
  add_result(lab, "mem.used", 1, kPlotKbyte);
  EXPECT_EQ(titles(lab), Titles({"disk.dev, count", "disk.dev, Kbyte", "mem.used"}));
}

TEST(Plot, MoreLinesOfOneParentAreSmallPanels) {
  Lab lab;
  add_times(lab, 2);
  for (const char* const name : {"a.b.one", "a.b.two", "a.b.three", "a.b.four"}) {
    add_result(lab, name, 2, kPlotKbyte);
  }
  EXPECT_EQ(titles(lab), Titles({"a.b: small one", "small two", "small three", "small four"}));
  EXPECT_EQ(panels(lab)[0].series[1].label, "disk1");
}

TEST(Plot, WhatHasNoUnitHasItsOwnAxis) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "a.b.one", 1);
  add_result(lab, "a.b.two", 1);
  EXPECT_EQ(titles(lab), Titles({"a.b: small one", "small two"}));
  EXPECT_EQ(panels(lab)[0].units, "no unit");
}

TEST(Plot, RatesAreSaidInTheHead) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "rate(disk.dev.busy)", 1);
  add_result(lab, "rate(disk.dev.wait)", 1);
  EXPECT_EQ(titles(lab), Titles({"disk.dev"}));
  EXPECT_EQ(panels(lab)[0].units, "seconds per second");
  EXPECT_EQ(panels(lab)[0].series[0].label, "busy[disk0]");
  EXPECT_EQ(panels(lab)[0].series[0].full, "rate(disk.dev.busy)[disk0]");
  EXPECT_NE(draw(lab).find("; rates per second"), std::string::npos);
}

TEST(Plot, RowsAreSortedAndFaintOnesCounted) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "m", kHeatRowsMax + 10);
  const Panel panel = panels(lab)[0];
  ASSERT_EQ(panel.series.size(), kHeatRowsMax);
  EXPECT_EQ(panel.series[0].label, "disk57");
  EXPECT_EQ(panel.notes[0], "48 of 58 instances, largest first; the other 10 stay at or below 10");

  Lab faint;
  add_times(faint, 1);
  const size_t k = faint.add_column({.name = "m", .units = kPlotKbyte, .domain = kDiskDomain});
  std::vector<double> values(kLinesMax + 1, 0.5);
  values[3] = 100, values[5] = 2;
  faint.add_row(k, instances(faint, values.size()), values);
  const Panel few = panels(faint)[0];
  ASSERT_EQ(few.series.size(), 2);
  EXPECT_EQ(few.series[0].label, "disk3");
  EXPECT_EQ(few.series[1].label, "disk5");
  EXPECT_EQ(few.notes[0],
            "2 of 13 instances, largest first; the other 11 stay at or below 0.5 Kbyte");
}

TEST(Plot, MoreRowsThanAreKept) {
  Lab lab;
  add_times(lab, 2);
  add_result(lab, "m", kHeatLanesMax + 1);
  EXPECT_NE(draw(lab).find("only the first 4096 instances were looked at"), std::string::npos);
  add_result(lab, "n", kHeatLanesMax);
  EXPECT_EQ(count(draw(lab), "</title>48 of 2048 instances and more, largest first"), 2);
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
  EXPECT_NE(chart.find("1 value that is not a number (NaN), left out"), std::string::npos);
  // From 1 to 3, and from there to 5, is nothing.
  EXPECT_EQ(count(chart, "url(#hatch)"), 2);  // in the legend, and in the panel
  EXPECT_NE(chart.find(">no value<"), std::string::npos);
  EXPECT_EQ(chart.find(">no recording<"), std::string::npos);
}

// A grid of four times with values at all of them.
Lab grid_lab(std::string name, Elem elem) {
  Lab lab;
  add_times(lab, 4);
  const size_t k = lab.add_column({.name = std::move(name), .elem = elem});
  for (int i = 0; i < 4; ++i) {
    if (elem == Elem::truth) {
      lab.add_row<uint8_t>(k, Rosters::kSingularId, {1});
    } else {
      lab.add_row<double>(k, Rosters::kSingularId, {1.0 * i});
    }
  }
  return lab;
}

TEST(Plot, APauseIsMarkedWhereAGridGoesOnThroughIt) {
  const TimeSpan pause{.first = {kPlotStart + 5, 0}, .last = {kPlotStart + 25, 0}};
  const TimeSpan outside{.first = {kPlotStart + 50, 0}, .last = {kPlotStart + 90, 0}};
  Lab lines = grid_lab("m", Elem::f64), bands = grid_lab("m > 0", Elem::truth);
  const std::string chart = draw(lines, PlotKind::svg, {}, {{{.span = pause}, {.span = outside}}});
  EXPECT_EQ(count(chart, "url(#pause)"), 2);
  EXPECT_NE(chart.find(">no recording<"), std::string::npos);
  const std::string truth = draw(bands, PlotKind::svg, {}, {{{.span = pause}}});
  EXPECT_EQ(count(truth, "url(#over)"), 2);
  EXPECT_EQ(count(truth, "class=\"edge\""), 1);
  EXPECT_NE(truth.find(">no recording<"), std::string::npos);
  EXPECT_EQ(draw(bands).find(">no recording<"), std::string::npos);
}

// A mark of the recording: bands have no value in it, and say why.
TEST(Plot, APauseWithoutValuesIsNoRecordingInBandsToo) {
  const TimeSpan pause{.first = {kPlotStart + 5, 0}, .last = {kPlotStart + 35, 0}};
  Lab lab;
  add_times(lab, 6);
  const size_t k = lab.add_column({.name = "m > 0", .elem = Elem::truth});
  for (int i = 0; i < 6; ++i) {
    if (i == 1 || i == 2 || i == 3) {
      lab.add_unknown(k, -12351);
    } else {
      lab.add_row<uint8_t>(k, Rosters::kSingularId, {1});
    }
  }
  const std::string chart = draw(lab, PlotKind::svg, {}, {{{.span = pause}}});
  EXPECT_EQ(count(chart, "url(#pause)"), 2);  // in the legend, and in the panel
  EXPECT_NE(chart.find(">no recording<"), std::string::npos);
  const std::string page = draw(lab, PlotKind::html, {}, {{{.span = pause}}});
  EXPECT_NE(page.find("\"pauses\":[["), std::string::npos);
}

// Two hosts: a line ends where its own host was interrupted, and no other line does.
TEST(Plot, PausesAreThoseOfTheirHost) {
  const auto at = [](int64_t seconds) { return Stamp{kPlotStart + seconds, 0}; };
  // web1 has an interruption that no time of the grid falls into; web2 starts late.
  const std::vector<HostPauses> pauses{
      {{.span = {.first = at(22), .last = at(28)}, .interrupted = true}},
      {{.span = {.first = {}, .last = at(15)}}, {.span = {.first = at(24), .last = at(26)}}}};
  Lab lab;
  add_times(lab, 5);
  for (const char* const host : {"web1", "web2"}) {
    const size_t k = lab.add_column({.name = "m", .host = host});
    for (int i = 0; i < 5; ++i) {
      if (k == 1 && i < 2) {
        lab.add_unknown(k, kNotYetLogged);
      } else {
        lab.add_row<double>(k, Rosters::kSingularId, {double(i) + 10.0 * double(k)});
      }
    }
  }
  const Schema schema{.infos = lab.infos,
                      .hosts = {"web1", "web2"},
                      .catalog = &lab.catalog,
                      .rosters = &lab.rosters};
  lab.block.segments = {0, 0, 0, 1, 1};  // of all hosts
  std::string chart;
  Sink sink(chart);
  const auto writer = make_plot_writer(sink, {.pauses = pauses});
  writer->begin(schema);
  ASSERT_TRUE(write(*writer, lab.block));
  ASSERT_TRUE(writer->end());
  std::vector<std::string> lines;
  for (size_t from = 0; (from = chart.find("<path class=\"l\" d=", from)) != chart.npos; ++from) {
    lines.push_back(chart.substr(from, chart.find("/>", from) - from));
  }
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(count(lines[0], "M"), 2);  // 0 to 20 s, 30 to 40 s
  EXPECT_EQ(count(lines[1], "M"), 1);  // 20 to 40 s
  // In the legend; when neither recorded; a strip a host.
  EXPECT_EQ(count(chart, "url(#pause)"), 4);
  EXPECT_EQ(chart.find(">no value<"), std::string::npos);
  EXPECT_NE(chart.find(">web2<"), std::string::npos);
}

// Two groups of metrics that are logged in turn: the first step of ten seconds is no pause.
TEST(Plot, WhatTurnsOutToBeUsualIsNoPause) {
  for (const int64_t at_end : {60, 100}) {
    Lab lab;
    for (const int64_t second : {0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51}) {
      lab.block.times.push_back({kPlotStart + second, 0});
    }
    lab.block.times.push_back({kPlotStart + at_end, 0});
    const size_t k = lab.add_column({.name = "m"});
    for (size_t i = 0; i < lab.block.times.size(); ++i) {
      lab.add_row<double>(k, Rosters::kSingularId, {1});
    }
    EXPECT_EQ(draw(lab).find(">no recording<") != std::string::npos, at_end == 100) << at_end;
  }
}

TEST(Plot, UnknownValuesAreCounted) {
  Lab lab = grid_lab("a.b", Elem::f64);
  const size_t k = lab.add_column({.name = "a.c"});
  for (int i = 0; i < 4; ++i) lab.add_unknown(k, -12351);
  const std::string chart = draw(
      lab, PlotKind::svg,
      {.unknown = {{"2 of 6 values are unknown: a gap"}, {"4 of 4 values are unknown: lost"}}});
  EXPECT_EQ(count(chart, "class=\"panel\""), 1);
  EXPECT_NE(chart.find(">2 of 6 values are unknown: a gap<"), std::string::npos);
  EXPECT_NE(chart.find(">a.c: 4 of 4 values are unknown: lost<"), std::string::npos);
}

TEST(Plot, LinesOnEachOtherStayVisible) {
  Lab lab;
  add_times(lab, 3);
  const size_t k = lab.add_column({.name = "m", .domain = kDiskDomain});
  const RosterId three = instances(lab, 3);
  for (int i = 0; i < 3; ++i) lab.add_row<double>(k, three, {0, 5, 0});
  const std::string chart = draw(lab);
  EXPECT_NE(chart.find("id=\"p0s0\" class=\"s0 w1\""), std::string::npos);
  EXPECT_NE(chart.find("id=\"p0s1\" class=\"s1\""), std::string::npos);
  EXPECT_NE(chart.find("id=\"p0s2\" class=\"s2\""), std::string::npos);
}

TEST(Plot, DenseLinesAreBands) {
  for (const size_t times : {size_t{600}, size_t{20'000}}) {
    Lab lab;
    add_times(lab, times);
    const size_t k = lab.add_column({.name = "m"});
    for (size_t i = 0; i < times; ++i) {
      lab.add_row<double>(k, Rosters::kSingularId, {i % 2 == 0 ? 0.0 : 10.0});
    }
    const std::string chart = draw(lab);
    EXPECT_EQ(count(chart, "class=\"band\""), times > 2 * kLineCells ? 1 : 0);
    EXPECT_EQ(chart.find("lines: their mean") != chart.npos, times > 2 * kLineCells);
  }
}

TEST(Plot, AHeatMapHasMeansInAPage) {
  Lab lab;
  add_times(lab, 2'000);
  add_result(lab, "m", kLinesMax + 1);
  const std::string picture = draw(lab), page = draw(lab, PlotKind::html);
  EXPECT_EQ(count(picture, "<g class=\"heat\""), 1);
  EXPECT_NE(picture.find(">largest in "), picture.npos);
  EXPECT_EQ(picture.find("lines: "), picture.npos);
  EXPECT_EQ(count(page, "<g class=\"heat\""), 2);
  EXPECT_NE(page.find("id=\"p0mean\" style=\"display:none\""), page.npos);
  EXPECT_NE(page.find(">mean in "), page.npos);
}

TEST(Plot, CountsOfWhatIsDrawn) {
  Lab lab;
  add_times(lab, 3);
  add_result(lab, "a", 2);
  add_result(lab, "b", 3);
  std::string out;
  Sink sink(out);
  const auto writer = make_plot_writer(sink, {.kind = PlotKind::svg});
  lab.give(*writer);
  EXPECT_EQ(writer->counts().panels, 2);
  EXPECT_EQ(writer->counts().series, 5);
  EXPECT_EQ(writer->counts().times, 3);
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
  EXPECT_NE(chart.find("2 infinite values, marked at the edge"), std::string::npos);
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

TEST(Plot, NoValuesOfSeveral) {
  Lab lab;
  for (const char* const name : {"a.b", "a.c", "a.d"}) lab.add_column({.name = name});
  for (const PlotKind kind : {PlotKind::svg, PlotKind::html}) {
    const std::string chart = draw(lab, kind);
    EXPECT_EQ(count(chart, "class=\"panel\""), 1);
    EXPECT_NE(chart.find(">no value is known<"), std::string::npos);
    EXPECT_NE(chart.find(">a.c, a.d: no value is known<"), std::string::npos);
  }
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
  EXPECT_NE(page.find("{\"label\":\"m\",\"host\":0,\"values\":[1.5,null]}"), page.npos);
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
