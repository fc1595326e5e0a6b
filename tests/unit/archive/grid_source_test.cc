// Archives seen at the times of a grid. What interpolation gives is replay_test.cc's; here it is
// that every metric has it at every time, whatever the blocks.
#include "runtime/archive/replay/grid_source.h"

#include <gtest/gtest.h>

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

TEST(GridSource, WhereAMetricHasNoValueItHasNoInstances) {
  EXPECT_EQ(on_grid("mark-v3", {15, 45, 10}, {"mk.ctr"}),
            "+15.000 mk.ctr 250\n+25.000 mk.ctr none\n+35.000 mk.ctr none\n+45.000 mk.ctr 1050\n");
}

// Half seconds: interpolation leaves a whole second in the nanoseconds, a Source does not.
TEST(GridSource, TimesAreWhole) {
  EXPECT_EQ(on_grid("types-v3", {9, 10.5, 0.5}, {"syn.disc.u32"}),
            "+9.000 syn.disc.u32 10\n+9.500 syn.disc.u32 10\n"
            "+10.000 syn.disc.u32 21\n+10.500 syn.disc.u32 21\n");
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
