#include <gtest/gtest.h>

#include "runtime/report/report_layout.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

Lab lab_of(int times) {
  Lab lab;
  for (int i = 0; i < times; ++i) lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
  return lab;
}

// No line is printed before the first known value. After it a line shows what is unknown.
TEST(ReportLines, ATimeEach) {
  Lab lab = lab_of(4);
  const size_t load = lab.add_column({.name = "load", .elem = Elem::f64});
  const size_t busy = lab.add_column({.name = "busy", .elem = Elem::truth});
  const size_t run = lab.add_column({.name = "r", .elem = Elem::i32});
  for (const size_t k : {load, busy, run}) lab.add_unknown(k, kFirstSample);
  lab.add_row<double>(load, Rosters::kSingularId, {1.25});
  lab.add_row<uint8_t>(busy, Rosters::kSingularId, {1});
  lab.add_unknown(run, kGap);
  for (const size_t k : {load, busy, run}) lab.add_unknown(k, kGap);
  lab.add_row<double>(load, Rosters::kSingularId, {1e9});
  lab.add_row<uint8_t>(busy, Rosters::kSingularId, {0});
  lab.add_row<int32_t>(run, Rosters::kSingularId, {7});
  const ReportLayout layout{.columns = {{.header = "load", .group = "cpu", .width = 6, .digits = 1},
                                        {.header = "busy", .group = "cpu", .width = 6},
                                        {.header = "r", .width = 2}},
                            .column_of = {0, 1, 2},
                            .interval = "10 s"};
  EXPECT_EQ(lab.print("report", {.layout = &layout}),
            R"(host app1, 2023-11-14, times in UTC, every 10 s
         -----cpu-----
           load   busy  r
22:13:30    1.2   true  ?
22:13:40  no values
22:13:50 1000000000.0  false  7
)");
}

TEST(ReportLines, ALineAnInstance) {
  Lab lab = lab_of(2);
  const size_t reads = lab.add_column({.name = "r", .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "load"});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0, 1}), {1, 2});
  lab.block.columns[reads].mark_invalid(1, 1);
  lab.add_row<double>(load, Rosters::kSingularId, {0.5});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{2, 0}), {3, 4});
  lab.add_unknown(load, kGap);
  ReportLayout layout{.rows = ReportLayout::Rows::instance,
                      .instance_header = "disk",
                      .columns = {{.header = "r/s", .digits = 2}, {.header = "load"}},
                      .column_of = {0, 1}};
  // The second time has a wider name.
  EXPECT_EQ(lab.print("report", {.layout = &layout}), R"(host app1, 2023-11-14, times in UTC
          disk     r/s    load
22:13:20  sda     1.00     0.5
22:13:20  sd,b     N/A     0.5
          disk      r/s    load
22:13:30  sda      4.00     N/A
22:13:30  x "y"    3.00     N/A
)");
  layout.rows = ReportLayout::Rows::block;
  EXPECT_EQ(lab.print("report", {.layout = &layout}), R"(host app1, times in UTC

2023-11-14 22:13:20
disk     r/s    load
sda     1.00     0.5
sd,b     N/A     0.5

22:13:30
disk      r/s    load
sda      4.00     N/A
x "y"    3.00     N/A
)");
}

// Columns come as instances do, each beside those of its own metric.
TEST(ReportLines, InstancesSideBySide) {
  Lab lab = lab_of(2);
  const size_t reads = lab.add_column({.name = "r", .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "load"});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{1}), {2});
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0, 1}), {1, 3});
  for (int i = 0; i < 2; ++i) lab.add_row<double>(load, Rosters::kSingularId, {0.5});
  const ReportLayout layout{.columns = {{.header = "r/s", .width = 4}, {.header = "load"}},
                            .column_of = {0, 1}};
  EXPECT_EQ(lab.print("report", {.layout = &layout}), R"(host app1, 2023-11-14, times in UTC
           r/s     load
          sd,b
22:13:20     2      0.5
           r/s   r/s     load
          sd,b   sda
22:13:30     3     1      0.5
)");
}

}  // namespace
}  // namespace pmjit
