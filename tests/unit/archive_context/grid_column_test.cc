// A grid over columns has the values that interpolation has, metric by metric: whatever was
// recorded, whatever the blocks, and each record is read once.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/client/archive_context/grid_source.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/archive_context/grid_text.h"
#include "tests/unit/archive_context/steady_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

void expect_equal(const ArchivesSource& recorded, const TimeGrid& grid, const FetchPlan& plan,
                  uint32_t seed) {
  const auto all = gridded_texts(GridSource(recorded, grid), plan).metrics;
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].rows, interpolated_text(recorded, grid, plan.metrics[i]).rows)
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

// A hole in the numbers of volumes is a mark to both; a volume without a record is to neither.
TEST(GridColumn, HasWhatInterpolationHasWhereVolumesHaveNothing) {
  for (const bool missing : {false, true}) {
    ArchiveParts parts = golden_parts("vols-v3");
    if (missing) {
      parts.erase({1});
    } else {
      parts.at({1}).resize(label_bytes(Version::v3));
    }
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*open_parts(parts));
    const ArchivesSource recorded(*Archives::of(std::move(one)));
    const TimeGrid grid{.origin = recorded.start(), .end = recorded.end(), .step = {.sec = 7}};
    const WantedMetric wanted(*recorded.archives().metadata().names.find("vo.c"));
    const auto gridded = gridded_texts(GridSource(recorded, grid), {.metrics = {wanted}}).metrics;
    EXPECT_EQ(gridded.front().rows, interpolated_text(recorded, grid, wanted).rows);
    // Of the times from 0 to 77 s, those between 20 and 60 s are unknown behind a mark.
    EXPECT_EQ(std::ranges::count(gridded.front().rows, '='), missing ? 6 : 12);
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
      return gridded_texts(source, plan).metrics;
    };
    const auto sound = rows_of(SteadyArchive::Damage::none);
    const auto damaged = rows_of(SteadyArchive::Damage::in_last_third);
    ASSERT_EQ(damaged.size(), sound.size());
    for (size_t i = 0; i < sound.size(); ++i) {
      const std::string &before = damaged[i].rows, &all = sound[i].rows;
      ASSERT_TRUE(all.starts_with(before)) << "seed " << seed << ", metric " << i;
      ended += before.size() < all.size() ? 1 : 0;
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
  EXPECT_LE(gridded_texts(source, plan).bytes, 3 * recorded.bytes());
}

// Where time goes back in the first block, no value that holds is taken to be missing.
TEST(GridColumn, TimesThatGoBackLeaveTheValuesBefore) {
  constexpr Desc kState{.pmid = 1, .pm_type = pm_type::u32, .semantics = Semantics::discrete};
  constexpr Stamp kStart{1'700'000'000, 0};
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = kStart}, *output);
  writer.add_metric("state", kState);
  uint32_t value = 7;
  for (const int64_t after : {0, 10, 20, 30, 35, 40, 50}) {
    const std::vector<int32_t> one{kSingular};
    const WrittenSet set{
        .pmid = kState.pmid, .instances = one, .values = std::as_bytes(std::span(&value, 1))};
    writer.put({kStart.sec + after, 0}, {&set, 1});
    ++value;
  }
  ASSERT_TRUE(writer.close().has_value());
  // No writer makes such records: that of 35 s becomes one of 60 s.
  const auto seconds_at = [&](int64_t after) {
    const auto big_endian = __builtin_bswap32(static_cast<uint32_t>(kStart.sec + after));
    const auto bytes = std::as_bytes(std::span(&big_endian, 1));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  for (auto& [part, bytes] : parts) {
    if (part.number < 0) continue;
    const auto found = std::ranges::search(bytes, seconds_at(35));
    ASSERT_FALSE(found.empty());
    std::ranges::copy(seconds_at(60), found.begin());
  }
  std::vector<std::unique_ptr<Archive>> one;
  one.push_back(*open_parts(parts));
  const ArchivesSource recorded(*Archives::of(std::move(one)));
  const TimeGrid grid{.origin = kStart, .end = {kStart.sec + 25, 0}, .step = {.sec = 5}};
  const GridSource source(recorded, grid);
  for (const Between between : {Between::exact, Between::as_pcp}) {
    const WantedMetric wanted(kState.pmid, between, true);
    const std::string rows = gridded_texts(source, {.metrics = {wanted}}).metrics.front().rows;
    EXPECT_EQ(rows, interpolated_text(recorded, grid, wanted).rows);
    EXPECT_EQ(std::ranges::count(rows, '='), 6);
  }
}

// The records of all metrics are read once, not once each.
TEST(GridColumn, ReadsOnce) {
  const ArchivesSource recorded(SteadyArchive(0, 400).take());
  const GridSource source(recorded,
                          {.origin = kSteadyStart, .end = recorded.end(), .step = {.sec = 10}});
  FetchPlan plan;
  for (PmId pmid = 1; pmid < SteadyArchive::kMetrics - 1; ++pmid) plan.metrics.emplace_back(pmid);
  EXPECT_LE(gridded_texts(source, plan).bytes, recorded.bytes());
}

}  // namespace
}  // namespace pmjit::test
