// What a chart keeps of a lane, against a plain computation over everything there was.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "runtime/report/plot/chart_series.h"

namespace pmjit {
namespace {

constexpr int64_t kStart = 1'700'000'000;

struct Sample {
  Moment at;
  Nanos place = 0;
  bool known = false;
  double value = 0;
};

// Times with steps of all lengths; a fifth of them without a value, some of those infinite.
std::vector<Sample> samples(size_t count, unsigned seed, Moments& moments) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  std::vector<Sample> out;
  Nanos place = 0;
  for (size_t i = 0; i < count; ++i) {
    const Stamp time = stamp_from_nanos(nanos({kStart, 0}) + place);
    Sample& sample = out.emplace_back();
    sample.place = place;
    sample.at = moments.add(time, i / 5'000);
    sample.known = rng() % 5 != 0;
    sample.value = rng() % 100 == 0 ? INFINITY : normal(rng);
    place += Nanos{1'000'000'000} + rng() % 500'000'000;
  }
  return out;
}

// The finite values in a cell.
std::vector<double> values_in(const std::vector<Sample>& samples, size_t cell, uint32_t shift) {
  std::vector<double> out;
  for (const Sample& sample : samples) {
    if ((sample.place >> shift) != Nanos(cell) || !sample.known) continue;
    if (std::isfinite(sample.value)) out.push_back(sample.value);
  }
  return out;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

class Reduced : public testing::TestWithParam<size_t> {};

TEST_P(Reduced, LinesHaveFirstLeastLargestAndLastOfEachCell) {
  Moments moments;
  const std::vector<Sample> all = samples(GetParam(), 3, moments);
  LineSeries line(false);
  for (const Sample& sample : all) {
    if (sample.known) line.add(sample.at, sample.value);
  }
  const uint32_t shift = moments.shift();
  ASSERT_LE(all.back().place >> shift, Nanos(kLineCells - 1));
  const auto& cells = line.cells(shift);
  for (size_t i = 0; i < kLineCells; ++i) {
    const std::vector<double> values = values_in(all, i, shift);
    ASSERT_EQ(cells[i].any, !values.empty()) << i;
    if (values.empty()) continue;
    const auto [least, most] = std::ranges::minmax_element(values);
    EXPECT_EQ(cells[i].first, values.front());
    EXPECT_EQ(cells[i].last, values.back());
    EXPECT_EQ(cells[i].least, *least);
    EXPECT_NEAR(cells[i].mean(), mean_of(values), 1e-9);
    EXPECT_EQ(cells[i].most, *most);
    if (*least == *most) continue;
    EXPECT_EQ(cells[i].least_first, least < most) << i;
  }
}

TEST_P(Reduced, HeatMapsHaveTheLargestAlsoOfWhatBeganAsALine) {
  Moments moments;
  const std::vector<Sample> all = samples(GetParam(), 4, moments);
  Moments again;
  LineSeries line(false);
  std::optional<HeatSeries> row;
  for (size_t i = 0; i < all.size(); ++i) {
    const Moment now = again.add(stamp_from_nanos(nanos({kStart, 0}) + all[i].place), i / 5'000);
    if (i == all.size() / 2) row.emplace(line, again.shift());
    if (!all[i].known || !std::isfinite(all[i].value)) continue;
    row ? row->add(now, all[i].value) : line.add(now, all[i].value);
  }
  const uint32_t shift = moments.shift();
  const auto& cells = row->cells(shift);
  for (size_t i = 0; i < kHeatCells; ++i) {
    const std::vector<double> values = values_in(all, i, shift + kHeatShift);
    ASSERT_EQ(cells[i].any(), !values.empty()) << i;
    if (values.empty()) continue;
    EXPECT_EQ(cells[i].most, std::ranges::max(values));
    EXPECT_EQ(cells[i].count, values.size());
    EXPECT_NEAR(cells[i].mean(), mean_of(values), 1e-9);
  }
}

TEST(LineCell, AMeanThatOverflowsStaysWithin) {
  constexpr double kHuge = 1.7e308;
  LineCell cell{.first = kHuge,
                .least = kHuge,
                .most = kHuge,
                .last = kHuge,
                .sum = kHuge,
                .count = 1,
                .any = true};
  const LineCell later = cell;
  cell.join(later);
  EXPECT_EQ(cell.mean(), kHuge);
}

TEST(Moments, DenseIsMoreThanTwoTimesACell) {
  for (const size_t times : {size_t{1'000}, size_t{20'000}}) {
    Moments moments;
    for (size_t i = 0; i < times; ++i) moments.add({kStart + int64_t(i), 0}, 0);
    EXPECT_EQ(moments.dense(), times > 2 * kLineCells);
  }
}

INSTANTIATE_TEST_SUITE_P(Times, Reduced, testing::Values(2, 100, 1'024, 20'000));

// Which of the times have a line from the one before.
std::vector<bool> joined(const std::vector<int64_t>& seconds, bool discrete,
                         const std::vector<uint64_t>& segments = {}) {
  Moments moments;
  LineSeries line(discrete);
  for (size_t i = 0; i < seconds.size(); ++i) {
    line.add(moments.add({kStart + seconds[i], 0}, segments.empty() ? 0 : segments[i]), 1);
  }
  std::vector<bool> out;
  const std::vector<TimeCell> times = moments.cells();
  const auto& cells = line.cells(moments.shift());
  for (size_t i = 0; i < times.size(); ++i) {
    if (cells[i].any) out.push_back(cells[i].joined);
  }
  return out;
}

using Bools = std::vector<bool>;

TEST(Moments, APauseBreaksALineButNotWhatStands) {
  EXPECT_EQ(joined({0, 10, 20, 60, 70}, false), Bools({false, true, true, false, true}));
  EXPECT_EQ(joined({0, 10, 20, 60, 70}, true), Bools({false, true, true, true, true}));
  EXPECT_EQ(joined({0, 10, 20, 45, 55}, false), Bools({false, true, true, true, true}));
}

TEST(Moments, AnInterruptionBreaksEverything) {
  for (const bool discrete : {false, true}) {
    EXPECT_EQ(joined({0, 10, 20, 30}, discrete, {0, 0, 1, 1}), Bools({false, true, false, true}));
  }
}

// Four metrics that are logged in turn, every ten seconds.
TEST(Moments, UnevenStepsAreNoPauses) {
  const std::vector<bool> all = joined({0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32}, false);
  EXPECT_FALSE(all[3]);  // nobody could know
  EXPECT_EQ(Bools(all.begin() + 4, all.end()), Bools(8, true));
}

TEST(Moments, AValueThatIsMissingBreaksALine) {
  Moments moments;
  LineSeries line(false);
  for (int i = 0; i < 5; ++i) {
    const Moment now = moments.add({kStart + i, 0}, 0);
    if (i != 2) line.add(now, i == 4 ? NAN : 1);
  }
  const std::vector<TimeCell> times = moments.cells();
  const auto& cells = line.cells(moments.shift());
  std::vector<bool> any, joined;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i].any) any.push_back(cells[i].any), joined.push_back(cells[i].joined);
  }
  EXPECT_EQ(any, Bools({true, true, false, true, false}));
  EXPECT_EQ(joined, Bools({false, true, false, false, false}));
}

}  // namespace
}  // namespace pmjit
