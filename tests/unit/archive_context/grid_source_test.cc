// Archives seen at the times of a grid. What interpolation gives is replay_test.cc's; here it is
// that every metric has it at every time, whatever the blocks.
#include "runtime/client/archive_context/grid_source.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

struct GridAt {
  double from, to, step;  // seconds after the start
};

std::string on_grid(std::string_view name, GridAt at, std::vector<std::string> metrics,
                    const FetchPlan& plan = {}) {
  auto archives = Archives::open(golden(name));
  EXPECT_TRUE(archives.has_value());
  const ArchivesSource recorded(*std::move(archives));
  const auto nanoseconds = [](double seconds) { return static_cast<Nanos>(seconds * 1e9); };
  const auto after = [&](double seconds) {
    return stamp_from_nanos(nanos(recorded.start()) + nanoseconds(seconds));
  };
  const Stamp step = stamp_from_nanos(nanoseconds(at.step));
  const GridSource source(
      recorded, {.origin = after(at.from), .end = after(at.to), .step = {step.sec, step.nsec}});
  return content(source, std::move(metrics), plan);
}

TEST(GridSource, EveryMetricAtEveryTime) {
  const std::string all =
      "+5.000 syn.ctr.u32 16\n+5.000 syn.disc.u32 10\n+5.000 syn.inst.str 'v10'\n"
      "+15.000 syn.ctr.u32 32\n+15.000 syn.disc.u32 21\n+15.000 syn.inst.str 'v21'\n"
      "+25.000 syn.ctr.u32 30\n+25.000 syn.disc.u32 43\n+25.000 syn.inst.str 'v43'\n";
  const std::vector<std::string> metrics{"syn.ctr.u32", "syn.disc.u32", "syn.inst.str"};
  EXPECT_EQ(on_grid("types-v3", {5, 34.9, 10}, metrics), all);
  EXPECT_EQ(on_grid("types-v3", {5, 34.9, 10}, metrics, {.rows_max = 1}), all);
  EXPECT_EQ(on_grid("types-v3", {5, 34.9, 10}, metrics, {.rows_max = 2}), all);
}

// An exact metric has nothing until it has a value behind the mark.
TEST(GridSource, MarksAreSeenByExactMetricsOnly) {
  const auto both = [](const FetchPlan& blocks) {
    auto archives = Archives::open(golden("mark-v3"));
    const ArchivesSource recorded(*std::move(archives));
    const auto after = [&](int64_t s) { return Stamp{recorded.start().sec + s, 0}; };
    const GridSource source(recorded, {.origin = after(15), .end = after(45), .step = {.sec = 10}});
    const PmId pmid = source.catalog().describe("mk.ctr")->pmid;
    std::string out;
    for (const Between between : {Between::exact, Between::as_pcp}) {
      FetchPlan plan = blocks;
      plan.metrics = {{pmid, between, false}};
      Rosters rosters;
      const auto cursor = source.open(plan, rosters);
      Block block;
      while ((*cursor)->next(block).value_or(false)) {
        size_t row = 0;
        for (uint32_t i = 0; i < block.records.size(); ++i) {
          const auto& rows = block.columns[0].rows;
          const bool carries = row < rows.size() && rows[row].record == i;
          out += fmt::format("{}{} ", block.records[i].stamp.sec - recorded.start().sec,
                             block.records[i].mark                    ? " mark"
                             : !carries                               ? " nothing"
                             : rosters.size(rows[row].roster_id) == 0 ? " no values"
                                                                      : "");
          if (carries) ++row;
        }
      }
    }
    return out;
  };
  const std::string seen = "15 20 mark 25 nothing 35 nothing 45 15 25 no values 35 no values 45 ";
  EXPECT_EQ(both({}), seen);
  EXPECT_EQ(both({.rows_max = 1}), seen);
}

// Half seconds: interpolation leaves a whole second in the nanoseconds, a Source does not.
TEST(GridSource, TimesAreWhole) {
  EXPECT_EQ(on_grid("types-v3", {9, 10.5, 0.5}, {"syn.disc.u32"}),
            "+9.000 syn.disc.u32 10\n+9.500 syn.disc.u32 10\n"
            "+10.000 syn.disc.u32 21\n+10.500 syn.disc.u32 21\n");
}

// One counter, seen both ways. So far from the start seconds no longer tell nanoseconds apart.
TEST(GridSource, CountersAreExactWhereThePlanWantsIt) {
  constexpr Desc kBytes{.pmid = 1, .pm_type = pm_type::u64, .semantics = Semantics::counter};
  constexpr Stamp kStart{1'700'000'000, 999'999'999}, kLater{1'800'000'000, 7};
  constexpr uint64_t kLarge = uint64_t{1} << 60;
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = kStart}, *output);
  writer.add_metric("bytes", kBytes);
  const auto put = [&](Stamp stamp, uint64_t value) {
    const std::vector<int32_t> one{kSingular};
    const WrittenSet set{
        .pmid = kBytes.pmid, .instances = one, .values = std::as_bytes(std::span(&value, 1))};
    writer.put(stamp, {&set, 1});
  };
  put(kStart, 0);
  put(kLater, kLarge);
  put({kLater.sec + 10, kLater.nsec}, kLarge + 10'000'000'000);
  ASSERT_TRUE(writer.close().has_value());
  std::vector<std::unique_ptr<Archive>> one;
  one.push_back(*open_parts(parts));
  const ArchivesSource recorded(*Archives::of(std::move(one)));
  const Stamp last{kLater.sec + 3, kLater.nsec + 2};
  const GridSource source(recorded,
                          {.origin = {last.sec, last.nsec - 1}, .end = last, .step = {.nsec = 1}});
  Rosters rosters;
  const auto cursor = source.open({.metrics = {1, {1, Between::as_pcp, false}}}, rosters);
  ASSERT_TRUE(cursor.has_value());
  Block block;
  ASSERT_TRUE(*(*cursor)->next(block));
  const auto value = [&](size_t column, size_t row) {
    return block.columns[column].values.as<uint64_t>()[row] - kLarge;
  };
  EXPECT_EQ(value(0, 0), 3'000'000'001u);
  EXPECT_EQ(value(0, 1), 3'000'000'002u);
  EXPECT_EQ(value(1, 0) % 128, 0u);  // what binary64 has left of it
}

TEST(GridSource, TheRecordingsEndIsTheEnd) {
  EXPECT_EQ(on_grid("types-v3", {45, 1000, 5}, {"syn.disc.u32"}),
            "+45.000 syn.disc.u32 17\n+50.000 syn.disc.u32 100\n");
}

// The third record, at 20 s, which both metrics need beyond 10 s, or at it.
TEST(GridSource, DamageEndsItAfterWhatWasBefore) {
  const std::string before = "+5.000 syn.ctr.u32 16\n+5.000 syn.disc.u32 10\nerror -12373\n";
  const std::vector<std::string> metrics{"syn.ctr.u32", "syn.disc.u32"};
  EXPECT_EQ(on_grid("bad-trailer", {5, 50, 10}, metrics), before);
  EXPECT_EQ(on_grid("bad-trailer", {5, 50, 10}, metrics, {.rows_max = 1}), before);
}

TEST(GridSource, ManyMetricsGoOnAfterTheirFilesWereClosed) {
  const std::string whole = on_grid("types-v3", {0, 50, 2.5}, {});
  EXPECT_EQ(std::ranges::count(whole, '\n') % 21, 0);
  EXPECT_EQ(on_grid("types-v3", {0, 50, 2.5}, {}, {.rows_max = 1}), whole);
}

}  // namespace
}  // namespace pmjit::test
