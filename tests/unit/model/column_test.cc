#include "runtime/model/column.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

void add_row(Column& column, RosterId roster, std::vector<double> values, int32_t status = 0) {
  const uint64_t at = column.grow(values.size());
  for (size_t i = 0; i < values.size(); ++i) column.values.as<double>()[at + i] = values[i];
  column.rows.push_back({.roster_id = roster, .status = status, .offset = at});
}

TEST(Column, RunsEndWhereRosterStatusOrPlaceChange) {
  Rosters rosters;
  const RosterId two = rosters.intern(std::vector<int32_t>{1, 2});
  const RosterId other = rosters.intern(std::vector<int32_t>{1, 3});
  Column column;
  add_row(column, two, {1, 2});
  add_row(column, two, {3, 4});
  add_row(column, other, {5, 6});
  add_row(column, Rosters::kNobodyId, {}, -12351);
  add_row(column, Rosters::kNobodyId, {});
  add_row(column, other, {7, 8});
  column.grow(1);  // a hole: the next row does not follow the last
  add_row(column, other, {9, 10});

  const pmjit::Run first = column.run_at(0, rosters);
  EXPECT_EQ(first.rows, 2u);
  EXPECT_EQ(first.lanes, 2u);
  EXPECT_EQ(column.run_at(1, rosters).rows, 1u);  // a run may start in the middle
  EXPECT_EQ(column.run_at(2, rosters).rows, 1u);
  EXPECT_EQ(column.run_at(3, rosters).rows, 1u);
  EXPECT_EQ(column.run_at(3, rosters).lanes, 0u);
  EXPECT_EQ(column.run_at(5, rosters).rows, 1u);
  EXPECT_EQ(column.run_at(6, rosters).offset, 9u);
}

TEST(Column, ValidityAppearsWhenItIsNeeded) {
  Column column;
  column.grow(70);
  EXPECT_EQ(column.valid_or_null(), nullptr);
  EXPECT_TRUE(column.is_valid(69));
  column.mark_invalid(0, 0);
  EXPECT_EQ(column.valid_or_null(), nullptr);
  column.mark_invalid(60, 8);
  for (uint64_t i = 0; i < 70; ++i) EXPECT_EQ(column.is_valid(i), i < 60 || i >= 68) << i;
  const uint64_t at = column.grow(100);  // what comes later is valid until said otherwise
  EXPECT_EQ(at, 70u);
  for (uint64_t i = 70; i < 170; ++i) EXPECT_TRUE(column.is_valid(i)) << i;
}

TEST(Column, ClearForgetsEverything) {
  Column column{.elem = Elem::text};
  column.grow(3);
  column.mark_invalid(0, 1);
  column.dictionary.add("x");
  column.rows.push_back({});
  column.clear();
  EXPECT_EQ(column.count, 0u);
  EXPECT_TRUE(column.rows.empty());
  EXPECT_EQ(column.valid_or_null(), nullptr);
  EXPECT_EQ(column.dictionary.size(), 0u);
  EXPECT_EQ(column.grow(2), 0u);
}

TEST(Column, AppendRowTakesValuesAndValidity) {
  Column source;
  source.grow(5);
  for (int i = 0; i < 5; ++i) source.values.as<double>()[i] = i;
  source.mark_invalid(3, 1);
  Column target;
  target.append_row(source, {.roster_id = Rosters::kSingularId, .offset = 0}, 2);
  target.append_row(source, {.roster_id = Rosters::kSingularId, .offset = 2}, 3);
  ASSERT_EQ(target.count, 5u);
  EXPECT_EQ(target.rows[1].offset, 2u);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(target.is_valid(i), i != 3) << i;
  EXPECT_EQ(target.values.as<double>()[4], 4);
}

TEST(Dictionary, EqualTextsAreOne) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.add("a"), 0u);
  EXPECT_EQ(dictionary.add(""), 1u);
  EXPECT_EQ(dictionary.add("a"), 0u);
  EXPECT_EQ(dictionary.add(std::string_view("a\0b", 3)), 2u);
  EXPECT_EQ(dictionary[2].size(), 3u);
}

TEST(Elem, TableAgreesWithItself) {
  for (Elem elem : {Elem::i32, Elem::u64, Elem::f64, Elem::truth, Elem::text}) {
    EXPECT_EQ(elem_from_text(elem_text(elem)), elem);
  }
  EXPECT_EQ(elem_from_text("number"), std::nullopt);
  EXPECT_EQ(elem_from_pm(5), Elem::f64);
  EXPECT_EQ(elem_from_pm(99), std::nullopt);
  EXPECT_EQ(elem_bytes(Elem::truth), 1u);
}

}  // namespace
}  // namespace pmjit
