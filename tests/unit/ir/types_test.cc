// The type rules where a mistake would be quiet, and the table that they are read from.
#include "compiler/ir/types.h"

#include <gtest/gtest.h>

#include <set>

namespace pmjit {
namespace {

std::optional<Elem> result(Op op, std::initializer_list<Elem> in) {
  return result_elem(op, std::span(in.begin(), in.size()));
}

TEST(IrTypes, MixedIntegersAreSigned) {
  EXPECT_EQ(result(Op::add, {Elem::u64, Elem::u64}), Elem::u64);
  EXPECT_EQ(result(Op::add, {Elem::i64, Elem::u64}), Elem::i64);
  EXPECT_EQ(result(Op::sub, {Elem::u64, Elem::u64}), Elem::i64);
  EXPECT_EQ(result(Op::neg, {Elem::u64}), Elem::i64);
  EXPECT_EQ(result(Op::add, {Elem::i64, Elem::f64}), std::nullopt);
  EXPECT_EQ(result(Op::add, {Elem::i32, Elem::i32}), std::nullopt);
}

TEST(IrTypes, StorageIsWidenedFirst) {
  EXPECT_EQ(result(Op::to_i64, {Elem::u32}), Elem::i64);
  EXPECT_EQ(result(Op::to_i64, {Elem::u64}), std::nullopt);
  EXPECT_EQ(result(Op::to_f64, {Elem::f64}), std::nullopt);
  EXPECT_EQ(result(Op::delta, {Elem::u32}), Elem::i64);
  EXPECT_EQ(result(Op::delta, {Elem::f32}), std::nullopt);
  EXPECT_EQ(result(Op::sum, {Elem::i32}), std::nullopt);
  EXPECT_EQ(result(Op::instant, {Elem::i32}), Elem::i32);
  EXPECT_EQ(result(Op::count, {Elem::text}), Elem::i64);
}

TEST(IrTypes, PickTakesOneKindOfArm) {
  EXPECT_EQ(result(Op::pick, {Elem::truth, Elem::f64, Elem::f64}), Elem::f64);
  EXPECT_EQ(result(Op::pick, {Elem::truth, Elem::i64, Elem::u64}), std::nullopt);
  EXPECT_EQ(result(Op::pick, {Elem::i64, Elem::i64, Elem::i64}), std::nullopt);
  EXPECT_EQ(result(Op::pick, {Elem::truth, Elem::i64}), std::nullopt);
}

TEST(IrTypes, AxesMeetAndAreReduced) {
  const Axes none, disk{.domain = 1}, cpu{.domain = 2};
  EXPECT_EQ(result_axes(Op::add, std::array{none, disk}), disk);
  EXPECT_EQ(result_axes(Op::add, std::array{disk, cpu}), std::nullopt);
  EXPECT_EQ(result_axes(Op::sum, std::array{disk}), none);
  EXPECT_EQ(result_axes(Op::select, std::array{disk}), none);
}

TEST(IrTypes, TableHasPlainNamesOnce) {
  std::set<std::string_view> names;
  for (const OpInfo& row : all_ops()) {
    EXPECT_FALSE(row.name.ends_with('_')) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.arity <= 3 || row.arity == kAnyArity) << row.name;
  }
  EXPECT_EQ(info(Op::and_).name, "and");
}

}  // namespace
}  // namespace pmjit
