// Variables of time beside recorded metrics, and alone.
#include "rules/strict/clock_grid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/rules/clock.h"
#include "runtime/archive/writer.h"
#include "runtime/model/pm_type.h"
#include "tests/unit/archive/support.h"

namespace pmjit::strict {
namespace {

constexpr Nanos kMinute = 60'000'000'000;
// 2024-03-31 00:00 UTC; in Berlin the clock goes from 2:00 to 3:00 an hour later.
constexpr Stamp kStart{1'711'843'200, 0};

Stamp minutes(int64_t behind) { return {kStart.sec + 60 * behind, 0}; }

// A value every 30 minutes, 90 minutes long, interrupted after 40.
ArchivesSource recorded() {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = kStart}, *output);
  writer.add_metric("load", {.pmid = 1, .pm_type = pm_type::i32});
  for (int32_t at : {0, 30, 40, 60, 90}) {
    const std::vector<int32_t> one{kSingular};
    const std::vector<WrittenSet> sets{
        {.pmid = 1, .instances = one, .values = std::as_bytes(std::span(&at, 1))}};
    if (at == 40) {
      writer.mark(minutes(at));
    } else {
      writer.put(minutes(at), sets);
    }
  }
  EXPECT_TRUE(writer.close().has_value());
  std::vector<std::unique_ptr<Archive>> archives;
  archives.push_back(*test::open_parts(parts));
  return ArchivesSource(*Archives::of(std::move(archives)));
}

// A line a record: minutes since the start, and the values of each column.
std::string content(const Recording& source, const std::vector<std::string>& operands) {
  FetchPlan plan{.rows_max = 3};
  for (const std::string& name : operands) {
    plan.metrics.emplace_back(source.catalog().describe(name)->pmid);
  }
  Rosters rosters;
  const auto cursor = source.open(plan, rosters);
  std::string out;
  Block block;
  while (*(*cursor)->next(block)) {
    for (uint32_t record = 0; record < block.records.size(); ++record) {
      const Record& at = block.records[record];
      out += fmt::format("{}{}", (at.stamp.sec - kStart.sec) / 60, at.mark ? " mark" : "");
      for (const Column& column : block.columns) {
        const auto row = std::ranges::find(column.rows, record, &Row::record);
        if (row == column.rows.end()) continue;
        int32_t value = 0;
        std::memcpy(&value, column.values.data() + row->offset * sizeof value, sizeof value);
        out += fmt::format(" {}", value);
      }
      out += "\n";
    }
  }
  EXPECT_EQ((*cursor)->done(), 1);
  return out;
}

TEST(ClockGrid, IsTheClockOfItsZoneBesideMetrics) {
  const ArchivesSource source = recorded();
  const TimeGrid grid{.origin = source.start(), .step = replay_step(30 * kMinute)};
  const ClockGrid berlin(source, grid, Zone("Europe/Berlin"));
  EXPECT_EQ(content(berlin, {"$hour", "load", "$minute"}),
            "0 1 0 0\n30 1 30 30\n40 mark\n60 3 60 0\n90 3 90 30\n");
  const ClockGrid utc(source, grid, Zone("UTC"));
  EXPECT_EQ(content(utc, {"load", "$hour"}), "0 0 0\n30 30 0\n40 mark\n60 60 1\n90 90 1\n");
}

TEST(ClockGrid, OfVariablesAloneHasEveryTime) {
  const ArchivesSource source = recorded();
  const ClockGrid grid(source, {.origin = source.start(), .step = replay_step(20 * kMinute)},
                       Zone("UTC"));
  EXPECT_EQ(content(grid, {"$year", "$month_of_year", "$day", "$day_of_week", "$hour", "$minute"}),
            "0 2024 3 31 0 0 0\n20 2024 3 31 0 0 20\n40 mark\n40 2024 3 31 0 0 40\n"
            "60 2024 3 31 0 1 0\n80 2024 3 31 0 1 20\n");
}

TEST(ClockGrid, HasTheNamesOfMetricsToo) {
  const ArchivesSource source = recorded();
  const ClockGrid grid(source, {.origin = source.start(), .step = replay_step(kMinute)}, Zone());
  EXPECT_EQ(grid.catalog().describe("load")->pmid, 1u);
  EXPECT_FALSE(grid.catalog().describe("$month"));
  EXPECT_EQ(grid.catalog().leaves(""), std::vector<std::string>{"load"});
}

}  // namespace
}  // namespace pmjit::strict
