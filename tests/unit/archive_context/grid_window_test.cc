// Where a grid meets no mark, the records that it reads say so: no heads are read for that. Where
// it does, the marks are those that all heads have.
#include "runtime/client/archive_context/grid_window.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/archive/recording/marks.h"
#include "runtime/client/archive_context/grid_source.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/archive_context/steady_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr PmId kFirst = 3;  // of SteadyArchive's, one without instances

// Two days' archives of 1,000 s, 37 s apart.
std::unique_ptr<Archives> two_days(uint32_t seed) {
  std::vector<std::unique_ptr<Archive>> members;
  for (const int64_t late : {0, 1'037}) {
    const Stamp start{kSteadyStart.sec + late, kSteadyStart.nsec};
    SteadyArchive one(seed, 100, SteadyArchive::Damage::none, start);
    members.push_back(one.take_one());
  }
  return *Archives::of(std::move(members));
}

std::unique_ptr<GridWindow> window_from(const ArchivesSource& recorded, int64_t late) {
  const Stamp from{recorded.start().sec + late, recorded.start().nsec};
  auto window = GridWindow::open(recorded, recorded, {.metrics = {kFirst}, .domains = {nullptr}},
                                 {.from = from, .step = nanos(Stamp{10, 0})});
  EXPECT_TRUE(window.has_value());
  return *std::move(window);
}

TEST(GridWindow, KnowsWhereNoMarkIs) {
  const ArchivesSource one(SteadyArchive(0, 100).take()), two(two_days(0));
  const auto of_one = window_from(one, 0), of_two = window_from(two, 0);
  EXPECT_TRUE(of_one->is_unmarked(0));
  EXPECT_TRUE(of_one->is_unmarked(500));
  EXPECT_TRUE(of_one->is_unmarked(5'000)) << "behind the last record none can be";
  EXPECT_TRUE(of_one->ended());
  EXPECT_FALSE(of_two->is_unmarked(1'500));
  EXPECT_TRUE(of_two->marked());
  EXPECT_FALSE(of_two->is_unmarked(500)) << "where one was met, all heads are to be read";
}

TEST(GridWindow, KnowsNothingOfRecordsBeforeIt) {
  const ArchivesSource recorded(SteadyArchive(0, 400).take());
  EXPECT_FALSE(window_from(recorded, 2'000)->is_unmarked(3'000));
}

TEST(GridWindow, ReadsAFewBlocksAheadAtMost) {
  const ArchivesSource recorded(SteadyArchive(0, 60'000).take());
  const auto window = window_from(recorded, 0);
  EXPECT_FALSE(window->is_unmarked(600'000));
  EXPECT_LE(window->end(), 16u);
  EXPECT_FALSE(window->ended());
}

// The records of blocks, marks among them.
std::vector<std::pair<Stamp, bool>> records_of(const ArchivesSource& recorded, const TimeGrid& grid,
                                               const FetchPlan& plan) {
  const GridSource source(recorded, grid);
  Rosters rosters;
  const auto cursor = *source.open(plan, rosters);
  std::vector<std::pair<Stamp, bool>> out;
  Block block;
  while (cursor->next(block).value_or(false)) {
    for (const Record& record : block.records) out.emplace_back(record.stamp, record.mark);
  }
  return out;
}

void expect_all_marks(const ArchivesSource& recorded, PmId metrics, uint32_t seed) {
  constexpr Nanos kMilliseconds[] = {10'000, 7'500, 3'000, 25'000, 100'000};
  const Stamp step = stamp_from_nanos(kMilliseconds[seed % 5] * 1'000'000);
  const TimeGrid looks{
      .origin = recorded.start(), .end = recorded.end(), .step = {step.sec, step.nsec}};
  TimeGrid knows = looks;
  knows.marks = std::make_shared<const std::vector<Stamp>>(*all_marks(recorded));
  FetchPlan plan{.rows_max = seed % 7 == 0 ? 3u : 0u};
  for (PmId pmid = 1; pmid <= metrics; ++pmid) {
    if (recorded.archives().metadata().desc(pmid) == nullptr) continue;
    plan.metrics.emplace_back(pmid, Between::exact, false);
  }
  EXPECT_EQ(records_of(recorded, looks, plan), records_of(recorded, knows, plan)) << seed;
}

TEST(GridWindow, MarksOfAGridAreThoseOfAllHeads) {
  for (uint32_t seed = 0; seed < turns(60); ++seed) {
    const ArchivesSource steady(SteadyArchive(seed, 150).take()), two(two_days(seed));
    const ArchivesSource changing(ChangingArchive(seed, 60, seed % 2 == 0).take());
    expect_all_marks(steady, SteadyArchive::kMetrics, seed);
    expect_all_marks(two, SteadyArchive::kMetrics, seed);
    expect_all_marks(changing, ChangingArchive::kUnasked, seed);
  }
}

}  // namespace
}  // namespace pmjit::test
