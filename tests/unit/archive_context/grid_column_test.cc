// A grid over columns has the values that interpolation has, metric by metric: whatever was
// recorded, whatever the blocks, and each record is read once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "runtime/archive/recording/marks.h"
#include "runtime/client/archive_context/grid_source.h"
#include "runtime/model/fetched_values.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/archive_context/steady_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

std::string grid_row_text(const Row& row, const Column& column, const Rosters& rosters) {
  std::string out = fmt::format("{}.{:09}", row.stamp.sec, row.stamp.nsec);
  if (row.status < 0) return out + fmt::format(" error {}\n", row.status);
  uint64_t at = row.offset;
  for (const int32_t instance : rosters.instances(row.roster_id)) {
    uint64_t bits = 0;
    std::memcpy(&bits, column.values.data() + at * elem_bytes(column.elem),
                elem_bytes(column.elem));
    const std::string value = is_number(column.elem)
                                  ? fmt::format("{:x}", bits)
                                  : std::string(column.dictionary[static_cast<uint32_t>(bits)]);
    out += fmt::format(" {}={}", instance, column.is_valid(at) ? value : "?");
    ++at;
  }
  return out + "\n";
}

// What interpolation says of one metric.
std::string interpolated_rows(const ArchivesSource& recorded, const TimeGrid& grid,
                              const WantedMetric& wanted) {
  Rosters rosters;
  const Desc& desc = *recorded.archives().metadata().desc(wanted.pmid);
  const bool exact = wanted.between == Between::exact;
  Marks marks(recorded.archives());
  ReplayContext context(recorded.archives(), BadVolumes::refuse);
  context.set_between(wanted.between, exact ? &marks : nullptr);
  context.set_mode(ReplayMode::interpolated, grid.origin, grid.step);
  std::string out;
  Stamp last = kStampMin;
  bool known = false;
  RosterId last_roster_id = Rosters::kNobodyId;
  Fetched fetched;
  while (true) {
    const Stamp time = stamp_from_nanos(nanos(context.now()));
    if (time > grid.end || !context.fetch({&wanted.pmid, 1}, {}, fetched)) return out;
    if (marks.last_between(last, time)) known = false;
    last = time;
    known |= fetched.sets.front().count != 0;
    if (exact && !known) continue;
    Column column{.elem = *elem_from_pm(desc.pm_type)};
    append_set(fetched.sets.front(), desc, {.stamp = time}, last_roster_id, rosters, column);
    out += grid_row_text(column.rows.front(), column, rosters);
  }
}

// What the grid has of all, each for itself.
std::vector<std::string> gridded_rows(const GridSource& source, const FetchPlan& plan,
                                      uint64_t& bytes) {
  std::vector<std::string> out(plan.metrics.size());
  Rosters rosters;
  const auto cursor = source.open(plan, rosters);
  EXPECT_TRUE(cursor.has_value());
  Block block;
  while ((*cursor)->next(block).value_or(false)) {
    bytes += block.bytes;
    for (size_t i = 0; i < out.size(); ++i) {
      for (const Row& row : block.columns[i].rows) {
        if (row.record >= block.records.size()) ADD_FAILURE() << "a row behind the last time";
        if (row.record >= block.records.size()) break;
        EXPECT_EQ(row.stamp, block.records[row.record].stamp);
        out[i] += grid_row_text(row, block.columns[i], rosters);
      }
    }
  }
  bytes += block.bytes;
  return out;
}

void expect_equal(const ArchivesSource& recorded, const TimeGrid& grid, const FetchPlan& plan,
                  uint32_t seed) {
  uint64_t bytes = 0;
  const auto all = gridded_rows(GridSource(recorded, grid), plan, bytes);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i], interpolated_rows(recorded, grid, plan.metrics[i]))
        << "seed " << seed << ", metric " << plan.metrics[i].pmid << " "
        << (plan.metrics[i].between == Between::exact ? "exact" : "as PCP");
  }
}

// Of libpcp's values alone, which behind a mark may come from columns again, and beside exact ones.
void expect_equal(const ArchivesSource& recorded, uint32_t seed, PmId metrics) {
  constexpr ReplayStep kSteps[] = {{10, 0}, {7, 500'000'000}, {3, 0}, {25, 0}, {100, 0}};
  constexpr int64_t kLate[] = {0, 0, 0, 35, 900};
  TimeGrid grid{.origin = recorded.start(), .end = recorded.end(), .step = kSteps[seed % 5]};
  grid.origin.sec += kLate[seed / 5 % 5];
  if (seed % 2 == 0) grid.origin.nsec += 1001;
  FetchPlan both{.rows_max = seed % 7 == 0 ? 3u : 0u}, as_pcp = both;
  for (PmId pmid = 1; pmid <= metrics; ++pmid) {
    const Desc* desc = recorded.archives().metadata().desc(pmid);
    if (desc == nullptr) continue;
    const bool holds = desc->semantics == Semantics::discrete;
    both.metrics.emplace_back(pmid, Between::exact, holds);
    both.metrics.emplace_back(pmid, Between::as_pcp, holds);
    as_pcp.metrics.emplace_back(pmid, Between::as_pcp, holds);
  }
  expect_equal(recorded, grid, both, seed);
  expect_equal(recorded, grid, as_pcp, seed);
}

// A day's archive after the other, with a mark between them.
std::unique_ptr<Archives> days(uint32_t seed, int records) {
  std::vector<std::unique_ptr<Archive>> members;
  for (int k = 0; k < 4; ++k) {
    const int64_t pause = k < 2 ? 37 : 5'000;
    const Stamp start{kSteadyStart.sec + k * (10 * records + pause), 5'000'000};
    SteadyArchive one(seed, records, SteadyArchive::Damage::none, k == 0 ? kSteadyStart : start);
    members.push_back(one.take_one());
  }
  return *Archives::of(std::move(members));
}

TEST(GridColumn, HasWhatInterpolationHas) {
  for (uint32_t seed = 0; seed < turns(50); ++seed) {
    const ArchivesSource recorded(SteadyArchive(seed, 150).take());
    expect_equal(recorded, seed, SteadyArchive::kMetrics);
    if (HasFatalFailure()) return;
  }
}

TEST(GridColumn, HasWhatInterpolationHasOfInstancesThatComeAndGo) {
  for (uint32_t seed = 0; seed < turns(50); ++seed) {
    const ArchivesSource recorded(ChangingArchive(seed, 60, seed % 2 == 0).take());
    expect_equal(recorded, seed, ChangingArchive::kUnasked);
    if (HasFatalFailure()) return;
  }
}

// Damage that one metric meets ends the grid for all of them, at the same time; what is before it
// is what a sound archive has.
TEST(GridColumn, DamageEndsAllAtOneTime) {
  uint32_t ended = 0;
  for (uint32_t seed = 0; seed < turns(60); ++seed) {
    const auto rows_of = [&](SteadyArchive::Damage damage) {
      const ArchivesSource recorded(SteadyArchive(seed, 150, damage).take());
      const GridSource source(
          recorded, {.origin = recorded.start(), .end = recorded.end(), .step = {.sec = 7}});
      FetchPlan plan;
      for (PmId pmid = 1; pmid < SteadyArchive::kMetrics - 1; ++pmid) {
        const Desc* desc = recorded.archives().metadata().desc(pmid);
        if (desc == nullptr) continue;
        plan.metrics.emplace_back(pmid, Between::exact, desc->semantics == Semantics::discrete);
      }
      uint64_t bytes = 0;
      return gridded_rows(source, plan, bytes);
    };
    const auto sound = rows_of(SteadyArchive::Damage::none);
    const auto damaged = rows_of(SteadyArchive::Damage::in_last_third);
    ASSERT_EQ(damaged.size(), sound.size());
    for (size_t i = 0; i < sound.size(); ++i) {
      ASSERT_TRUE(sound[i].starts_with(damaged[i])) << "seed " << seed << ", metric " << i;
      ended += damaged[i].size() < sound[i].size() ? 1 : 0;
    }
  }
  EXPECT_GT(ended, turns(100));
}

TEST(GridColumn, HasWhatInterpolationHasBehindMarks) {
  for (uint32_t seed = 0; seed < turns(10); ++seed) {
    const ArchivesSource recorded(days(seed, 90));
    expect_equal(recorded, seed, SteadyArchive::kMetrics);
    if (HasFatalFailure()) return;
  }
}

// Behind a mark they are columns again, soon: metrics do not read all that follows for themselves.
TEST(GridColumn, ReadsFewTimesWhereThereAreMarks) {
  const ArchivesSource recorded(days(0, 400));
  const GridSource source(recorded,
                          {.origin = kSteadyStart, .end = recorded.end(), .step = {.sec = 10}});
  FetchPlan plan;
  for (PmId pmid = 1; pmid < SteadyArchive::kMetrics - 1; ++pmid) {
    plan.metrics.emplace_back(pmid, Between::as_pcp, false);
  }
  uint64_t bytes = 0;
  gridded_rows(source, plan, bytes);
  EXPECT_LE(bytes, 3 * recorded.bytes());
}

// The records of all metrics are read once, not once each.
TEST(GridColumn, ReadsOnce) {
  const ArchivesSource recorded(SteadyArchive(0, 400).take());
  const GridSource source(recorded,
                          {.origin = kSteadyStart, .end = recorded.end(), .step = {.sec = 10}});
  FetchPlan plan;
  for (PmId pmid = 1; pmid < SteadyArchive::kMetrics - 1; ++pmid) plan.metrics.emplace_back(pmid);
  uint64_t bytes = 0;
  gridded_rows(source, plan, bytes);
  EXPECT_LE(bytes, recorded.bytes());
}

}  // namespace
}  // namespace pmjit::test
