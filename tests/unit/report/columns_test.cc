// Columns as they come from a live host, a time a block.
#include <gtest/gtest.h>

#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

class Live {
 public:
  explicit Live(Lab& lab) : lab_(lab), writer_(make_columns_writer(sink_, {})) {
    writer_->begin({.infos = lab.infos, .catalog = &lab.catalog, .rosters = &lab.rosters});
  }
  // The rows are in the block.
  void come(Stamp when) {
    lab_.block.times = {when};
    EXPECT_TRUE(dynamic_cast<BlockWriter&>(*writer_).write(lab_.block).has_value());
    for (Column& column : lab_.block.columns) column.clear();
  }
  std::string ended() {
    EXPECT_TRUE(writer_->end().has_value());
    EXPECT_TRUE(sink_.flush().has_value());
    return out_;
  }

 private:
  Lab& lab_;
  std::string out_;
  Sink sink_{out_};
  std::unique_ptr<Writer> writer_;
};

constexpr Stamp kOne{1'700'000'001, 0}, kTwo{1'700'000'002, 0};

TEST(Columns, TheHeadingWaitsForInstances) {
  Lab lab;
  const size_t reads =
      lab.add_column({.name = "rate(reads)", .elem = Elem::f64, .domain = kDiskDomain});
  Live live(lab);
  lab.add_row<double>(reads, Rosters::kNobodyId, {});
  live.come(kNoon);
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0}), {1.5});
  live.come(kOne);
  EXPECT_EQ(live.ended(),
            "host , 2023-11-14, times in UTC\n"
            "            reads\n"
            "              sda\n"
            "22:13:20      N/A\n"
            "22:13:21      1.5\n");
}

// Those with instances come after the others, and stand as asked nevertheless.
TEST(Columns, TheyStandAsAsked) {
  Lab lab;
  const size_t reads = lab.add_column({.name = "reads", .elem = Elem::f64, .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "load", .elem = Elem::f64});
  Live live(lab);
  lab.add_row<double>(reads, Rosters::kNobodyId, {});
  lab.add_row<double>(load, Rosters::kSingularId, {2});
  live.come(kNoon);
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0}), {3});
  lab.add_row<double>(load, Rosters::kSingularId, {4});
  live.come(kOne);
  EXPECT_EQ(live.ended(),
            "host , 2023-11-14, times in UTC\n"
            "            reads     load\n"
            "              sda\n"
            "22:13:20      N/A        2\n"
            "22:13:21        3        4\n");
}

TEST(Columns, OneTimeWaitsWhereOthersAreThere) {
  Lab lab;
  const size_t reads = lab.add_column({.name = "reads", .elem = Elem::f64, .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "load", .elem = Elem::f64});
  Live live(lab);
  for (const Stamp when : {kNoon, kOne}) {
    lab.add_row<double>(reads, Rosters::kNobodyId, {});
    lab.add_row<double>(load, Rosters::kSingularId, {2});
    live.come(when);
  }
  lab.add_row<double>(reads, lab.rosters.intern(std::vector<int32_t>{0}), {3});
  lab.add_row<double>(load, Rosters::kSingularId, {4});
  live.come(kTwo);
  EXPECT_EQ(live.ended(),
            "host , 2023-11-14, times in UTC\n"
            "             load\n"
            "22:13:20        2\n"
            "22:13:21        2\n"
            "\n"
            "host , 2023-11-14, times in UTC\n"
            "             load    reads\n"
            "                       sda\n"
            "22:13:22        4        3\n");
}

TEST(Columns, TimesWithoutAnyAreAllThere) {
  Lab lab;
  const size_t reads = lab.add_column({.name = "reads", .elem = Elem::f64, .domain = kDiskDomain});
  Live live(lab);
  lab.add_row<double>(reads, Rosters::kNobodyId, {});
  live.come(kNoon);
  EXPECT_EQ(live.ended(), "host , 2023-11-14, times in UTC\n22:13:20  no values\n");
}

}  // namespace
}  // namespace pmjit
