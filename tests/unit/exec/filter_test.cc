#include "runtime/exec/filter.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pmjit {
namespace {

class ThreeDisks final : public Catalog {
 public:
  Result<Desc> describe(std::string_view) const override { return Desc{}; }
  std::vector<std::string> leaves(std::string_view) const override { return {}; }
  std::optional<std::string> instance_name(InDomId, int32_t id, Stamp) const override {
    return "disk" + std::to_string(id);
  }
  std::vector<Instance> instances(InDomId) const override { return {}; }
};

TEST(InstanceFilter, KeepsTheNamedInstancesOfEveryRow) {
  Rosters rosters;
  const ThreeDisks catalog;
  const std::vector<int32_t> all = {1, 2, 3}, two = {2, 3};
  ResultBlock block;
  block.times = {{0, 0}, {10, 0}};
  block.columns.resize(1);
  Column& column = block.columns[0];
  column.elem = Elem::i64;
  column.grow(5);
  std::iota(column.values.as<int64_t>(), column.values.as<int64_t>() + 5, 100);
  column.mark_invalid(4, 1);
  column.rows = {{.roster_id = rosters.intern(all), .record = 0, .offset = 0},
                 {.roster_id = rosters.intern(two), .record = 1, .offset = 3}};

  InstanceFilter filter({"disk1", "disk3"}, catalog, rosters);
  filter.apply(block, {ResultInfo{.elem = Elem::i64, .domain = 7}});

  ASSERT_EQ(column.rows.size(), 2u);
  EXPECT_EQ(rosters.size(column.rows[0].roster_id), 2u);
  EXPECT_EQ(column.values.as<int64_t>()[column.rows[0].offset], 100);
  EXPECT_EQ(column.values.as<int64_t>()[column.rows[0].offset + 1], 102);
  EXPECT_EQ(rosters.size(column.rows[1].roster_id), 1u);
  EXPECT_FALSE(column.is_valid(column.rows[1].offset));
}

TEST(InstanceFilter, LeavesSingularResultsAlone) {
  Rosters rosters;
  const ThreeDisks catalog;
  ResultBlock block;
  block.times = {{0, 0}};
  block.columns.resize(1);
  block.columns[0].elem = Elem::f64;
  block.columns[0].grow(1);
  block.columns[0].rows = {{.roster_id = Rosters::kSingularId}};
  InstanceFilter({"disk1"}, catalog, rosters).apply(block, {ResultInfo{}});
  EXPECT_EQ(block.columns[0].rows[0].roster_id, Rosters::kSingularId);
}

}  // namespace
}  // namespace pmjit
