#include "runtime/report/unknown_shares.h"

#include <gtest/gtest.h>

#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

// A metric over two disks at `times`, of whose second disk the first `unknown` values are not
// known.
void fill(Lab& lab, int times, uint64_t unknown) {
  const size_t reads = lab.add_column({.name = "reads", .elem = Elem::f64, .domain = kDiskDomain});
  const RosterId both = lab.rosters.intern(std::vector<int32_t>{0, 1});
  for (int i = 0; i < times; ++i) {
    lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
    lab.add_row<double>(reads, both, {1, 2});
  }
  for (uint64_t i = 0; i < unknown; ++i) lab.block.columns[reads].mark_invalid(2 * i + 1, 1);
}

TEST(UnknownShares, RowsSayWhyThemselves) {
  Lab lab;
  const size_t cpu = lab.add_column({.name = "rate(cpu)", .elem = Elem::f64});
  for (int i = 0; i < 10; ++i) lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
  lab.add_unknown(cpu, kFirstSample);
  for (int i = 0; i < 9; ++i) lab.add_row<double>(cpu, Rosters::kSingularId, {1});
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  EXPECT_EQ(shares.lanes(), 9u);
  EXPECT_FALSE(shares.wants_reasons());
  EXPECT_TRUE(shares.lines(lab.infos).empty());  // a tenth is not more than a tenth
  shares.add(lab.block, lab.rosters);
  lab.block.columns[cpu].rows.edit().resize(2);
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> wanted{
      "rate(cpu): 3 of 22 values are unknown: first sample: nothing to compare with"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
}

TEST(UnknownShares, AWindowWithoutARowHasNothingToSay) {
  Lab lab;
  lab.add_column({.name = "rate(cpu)", .elem = Elem::f64});
  UnknownShares shares;
  shares.leave_out(0);
  shares.explain_down(1, "the recording ends");
  EXPECT_TRUE(shares.lines_of(1).empty());
  EXPECT_FALSE(shares.wants_reasons());
}

TEST(UnknownShares, RowsWithoutLanesCountWhereTheyMean) {
  Lab lab;
  const size_t ratio = lab.add_column({.name = "ratio", .elem = Elem::f64});
  const size_t disks = lab.add_column({.name = "disks", .elem = Elem::f64});
  for (int i = 0; i < 10; ++i) {
    lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
    for (const size_t column : {ratio, disks}) {
      if (i < 2) {
        lab.add_row<double>(column, Rosters::kNobodyId, {});
      } else {
        lab.add_row<double>(column, Rosters::kSingularId, {1});
      }
    }
  }
  UnknownShares shares;
  shares.count_empty({true, false});
  shares.add(lab.block, lab.rosters);
  EXPECT_TRUE(shares.lines(lab.infos).empty());
  EXPECT_EQ(shares.empty_lines(lab.infos),
            std::vector<std::string>{"ratio: 2 of 10 times have no value"});
  EXPECT_EQ(shares.lines_of(ratio), std::vector<std::string>{"2 of 10 times have no value"});
  EXPECT_TRUE(shares.lines_of(disks).empty());
}

TEST(UnknownShares, AllOfThemAreCountedWhereOneReasonIsRare) {
  Lab lab;
  const size_t idle = lab.add_column({.name = "rate(idle)", .elem = Elem::f64});
  for (int i = 0; i < 12; ++i) lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
  lab.add_unknown(idle, kFirstSample);
  for (int i = 0; i < 6; ++i) lab.add_unknown(idle, kHostDown);
  for (int i = 0; i < 5; ++i) lab.add_row<double>(idle, Rosters::kSingularId, {1});
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> wanted{
      "rate(idle): 7 of 12 values are unknown: the host is down, or its recording has ended "
      "(6), others (1)"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
}

// A time at which all of a metric is unknown counts for the instances that it has otherwise.
TEST(UnknownShares, LostTimesCountForAllInstances) {
  Lab lab;
  fill(lab, 8, 0);
  for (int i = 8; i < 10; ++i) {
    lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
    lab.add_unknown(0, kGap);
  }
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  EXPECT_EQ(shares.lanes(), 16U);
  const std::vector<std::string> wanted{
      "reads: 4 of 20 values are unknown: a gap in the recording"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
  EXPECT_EQ(shares.lines(lab.infos, "; which?"), std::vector{wanted.front() + "; which?"});
}

// Of instances that come and go the mean counts, not all that there ever were.
TEST(UnknownShares, LostTimesCountForTheMeanOfInstances) {
  Lab lab;
  const size_t sizes = lab.add_column({.name = "sizes", .elem = Elem::f64, .domain = kDiskDomain});
  for (int i = 0; i < 6; ++i) {
    lab.block.times.push_back({1'700'000'000 + 10 * i, 0});
    if (i >= 4) {
      lab.add_unknown(sizes, kGap);
      continue;
    }
    lab.add_row<double>(sizes, lab.rosters.intern(std::vector<int32_t>{10 + i, 20 + i, 30 + i}),
                        {1, 2, 3});
  }
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> wanted{
      "sizes: 6 of 18 values are unknown: a gap in the recording"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
}

TEST(UnknownShares, NothingIsLeftOpenOfWhatIsUnknownAsAWhole) {
  Lab lab;
  lab.block.times.push_back({1'700'000'000, 0});
  lab.add_unknown(lab.add_column({.name = "late"}), kNotYetLogged);
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> wanted{"late: 1 of 1 value is unknown: not yet logged"};
  EXPECT_EQ(shares.lines(lab.infos, "; which?"), wanted);
}

TEST(UnknownShares, LanesAreExplainedWhereTheyAreMany) {
  Lab few, many;
  fill(few, 10, 2);
  fill(many, 10, 3);
  UnknownShares none, some;
  none.add(few.block, few.rosters);
  EXPECT_FALSE(none.wants_reasons());
  EXPECT_TRUE(none.lines(few.infos).empty());
  some.add(many.block, many.rosters);
  EXPECT_TRUE(some.wants_reasons());
  many.block.reasons.push_back({{1, kReset}, {3, kReset}, {5, kReset}});
  some.explain(many.block, many.rosters);
  EXPECT_FALSE(some.wants_reasons());
  const std::vector<std::string> wanted{"reads: 3 of 20 values are unknown: the counter was reset"};
  EXPECT_EQ(some.lines(many.infos), wanted);
}

TEST(UnknownShares, MostLanesMayBeGuessed) {
  Lab lab;
  fill(lab, 5'000, 5'000);
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  Lab first;
  fill(first, 4'096, 4'096);
  first.block.reasons.emplace_back();
  for (uint64_t i = 0; i < 4'096; ++i) {
    first.block.reasons[0][2 * i + 1] = i % 4 == 0 ? kGap : kReset;
  }
  shares.explain(first.block, first.rosters);
  EXPECT_FALSE(shares.wants_reasons());
  const std::vector<std::string> wanted{
      "reads: about 5000 of 10000 values are unknown: the counter was reset (3750), a gap in the "
      "recording (1250)"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
}

TEST(UnknownShares, ResultsOfWhichTheSameIsTrueShareALine) {
  Lab lab;
  lab.block.times.push_back({1'700'000'000, 0});
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    lab.add_unknown(lab.add_column({.name = name}), kNotYetLogged);
  }
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> wanted{
      "a, b, c and 2 more: 1 of 1 value is unknown: not yet logged"};
  EXPECT_EQ(shares.lines(lab.infos), wanted);
}

TEST(UnknownShares, ManyResultsAreCounted) {
  Lab lab;
  lab.block.times.push_back({1'700'000'000, 0});
  for (int i = 0; i < 12; ++i) {
    const size_t column = lab.add_column({.name = "m" + std::to_string(i)});
    for (int row = 0; row <= i; ++row) lab.add_unknown(column, kNotYetLogged);
  }
  UnknownShares shares;
  shares.add(lab.block, lab.rosters);
  const std::vector<std::string> lines = shares.lines(lab.infos);
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines.back(), "2 more results have as many unknown values");
}

}  // namespace
}  // namespace pmjit
