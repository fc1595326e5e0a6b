// Variables of time beside recorded metrics, and alone.
#include "rules/strict/clock_feed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/strict_rules/clock.h"
#include "rules/strict/archive_feeds.h"
#include "runtime/archive/writer.h"
#include "runtime/model/pm_codes.h"
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
  writer.add_metric("users", {.pmid = 2, .pm_type = pm_type::i32});
  for (int32_t at : {0, 30, 40, 60, 90}) {
    const std::vector<int32_t> one{kSingular};
    const auto value = std::as_bytes(std::span(&at, 1));
    const std::vector<WrittenSet> sets{{.pmid = 1, .instances = one, .values = value},
                                       {.pmid = 2, .instances = one, .values = value}};
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

// A line per group: minutes since the start, and the values of each operand; and where a mark was.
std::string content(const ArchivesSource& source, Nanos step, const Zone& zone,
                    const std::vector<std::string>& operands) {
  const ArchiveFeeds feeds(source);
  const ClockNames names(feeds.catalog(), feeds);
  std::vector<WantedMetric> wanted;
  for (const std::string& name : operands) wanted.emplace_back(names.describe(name)->pmid);
  Rosters rosters;
  const auto recorded = [&](std::vector<WantedMetric> metrics) {
    return feeds.open(std::move(metrics), {.origin = source.start(), .step = step, .rows_max = 3},
                      rosters);
  };
  const auto feed = open_with_clock(recorded, wanted, zone);
  std::string out;
  Wave wave;
  uint64_t segment = 0;
  while (*(*feed)->next(wave) == Feed::Next::wave) {
    EXPECT_TRUE(wave.last);
    for (uint32_t i = 0; i < wave.operands.size(); ++i) {
      const size_t rows = wave.operands[i].column.rows.size();
      EXPECT_EQ(wave.limits_of(i).size(), rows) << operands[i];
      if (const uint32_t like = wave.operands[i].like; like != kNoIndex) {
        EXPECT_EQ(wave.operands[like].column.rows.size(), rows) << operands[i];
      }
    }
    for (uint32_t group = 0; group < wave.groups.size(); ++group) {
      const Group& at = wave.groups[group];
      if (std::exchange(segment, at.segment) != at.segment) out += "mark\n";
      out += fmt::format("{}", (at.t.sec - kStart.sec) / 60);
      for (const Observations& operand : wave.operands) {
        const Column& column = operand.column;
        const auto row = std::ranges::find(column.rows, group, &Row::record);
        if (row == column.rows.end()) continue;
        int32_t value = 0;
        std::memcpy(&value, column.values.data() + row->offset * sizeof value, sizeof value);
        out += fmt::format(" {}", value);
      }
      out += "\n";
    }
  }
  EXPECT_EQ((*feed)->done(), 1);
  return out;
}

TEST(ClockFeed, IsTheClockOfItsZoneBesideMetrics) {
  const ArchivesSource source = recorded();
  EXPECT_EQ(content(source, 30 * kMinute, Zone("Europe/Berlin"), {"$hour", "load", "$minute"}),
            "0 1 0 0\n30 1 30 30\nmark\n60 3 60 0\n90 3 90 30\n");
  EXPECT_EQ(content(source, 30 * kMinute, Zone("UTC"), {"load", "$hour"}),
            "0 0 0\n30 30 0\nmark\n60 60 1\n90 90 1\n");
}

TEST(ClockFeed, LeavesMetricsThatAreLoggedTogetherSo) {
  const ArchivesSource source = recorded();
  const std::vector<std::string> names{"$minute", "load", "$hour", "users"};
  EXPECT_EQ(content(source, 30 * kMinute, Zone("UTC"), names),
            "0 0 0 0 0\n30 30 30 0 30\nmark\n60 0 60 1 60\n90 30 90 1 90\n");
  EXPECT_EQ(content(source, 20 * kMinute, Zone("UTC"), names),
            "0 0 0 0 0\n20 20 0 0 0\nmark\n40 40 0\n60 0 60 1 60\n80 20 60 1 60\n");
}

TEST(ClockFeed, OfVariablesAloneHasEveryTime) {
  const ArchivesSource source = recorded();
  EXPECT_EQ(content(source, 20 * kMinute, Zone("UTC"),
                    {"$year", "$month_of_year", "$day", "$day_of_week", "$hour", "$minute"}),
            "0 2024 3 31 0 0 0\n20 2024 3 31 0 0 20\nmark\n40 2024 3 31 0 0 40\n"
            "60 2024 3 31 0 1 0\n80 2024 3 31 0 1 20\n");
}

TEST(ClockFeed, HasTheNamesOfMetricsToo) {
  const ArchivesSource source = recorded();
  const ArchiveFeeds feeds(source);
  const ClockNames names(feeds.catalog(), feeds);
  EXPECT_EQ(names.describe("load")->pmid, 1u);
  EXPECT_TRUE(names.describe("$hour").has_value());
  EXPECT_FALSE(names.describe("$month"));
  EXPECT_EQ(names.leaves(""), (std::vector<std::string>{"load", "users"}));
}

}  // namespace
}  // namespace pmjit::strict
