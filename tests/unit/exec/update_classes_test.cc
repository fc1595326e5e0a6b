// Operands that are logged together share what is known of them, and each has the intervals that it
// would have alone.
#include "runtime/exec/update_classes.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace pmjit {
namespace {

constexpr uint32_t kOperands = 9;

struct Recorded {
  Stamp stamp;
  std::vector<uint32_t> operands;
};

Block block_of(const std::vector<Recorded>& records) {
  Block block;
  block.columns.resize(kOperands);
  for (const Recorded& given : records) {
    const auto record = static_cast<uint32_t>(block.records.size());
    block.records.push_back({.stamp = given.stamp});
    for (const uint32_t i : given.operands) {
      block.columns[i].rows.push_back({.stamp = given.stamp, .record = record});
    }
  }
  return block;
}

// Of two sources, two groups each, sometimes without one of their operands.
Recorded random_record(std::mt19937& random, int64_t seconds) {
  Recorded out{.stamp{seconds, static_cast<int32_t>(random() % 1000)}, .operands{}};
  const auto source = static_cast<uint32_t>(random() % 2),
             group = static_cast<uint32_t>(random() % 2);
  for (uint32_t i = source; i < kOperands; i += 2) {
    if (i / 2 % 2 == group && random() % 50 != 0) out.operands.push_back(i);
  }
  return out;
}

class Checked {
 public:
  explicit Checked(const std::vector<uint32_t>& source_of)
      : classes_(std::vector<bool>(kOperands), source_of), alone_(kOperands) {}

  // Every record of it.
  void take(const std::vector<Recorded>& records, bool merge) {
    const Block block = block_of(records);
    classes_.regroup(block, merge);
    for (uint32_t record = 0; record < records.size(); ++record) {
      update(block, record, records[record].stamp);
      for (const uint32_t i : records[record].operands) alone_[i].update(records[record].stamp);
      expect_as_alone();
    }
  }
  void start_segment(uint32_t source, const std::vector<uint32_t>& source_of) {
    classes_.start_segment(source);
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (source_of[i] == source) alone_[i].start_segment();
    }
  }
  [[nodiscard]] uint32_t size() const { return classes_.size(); }

 private:
  void update(const Block& block, uint32_t record, Stamp stamp) {
    for (uint32_t of = 0; of < classes_.size(); ++of) {
      uint32_t carried = 0;
      for (const uint32_t i : classes_[of].operands) {
        for (const Row& row : block.columns[i].rows) carried += row.record == record ? 1 : 0;
      }
      ASSERT_TRUE(carried == 0 || carried == classes_[of].operands.size());
      if (carried != 0) classes_.update(of, stamp);
    }
  }
  void expect_as_alone() {
    std::optional<Nanos> shortest;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const auto shared = classes_[classes_.of_operand(i)].intervals.interval();
      const auto alone = alone_[i].interval();
      ASSERT_EQ(shared.has_value(), alone.has_value());
      if (!alone) continue;
      ASSERT_TRUE(*shared == *alone);
      shortest = shortest ? std::min(*shortest, *alone) : *alone;
    }
    ASSERT_EQ(classes_.shortest().has_value(), shortest.has_value());
    if (shortest) {
      ASSERT_TRUE(*classes_.shortest() == *shortest);
    }
  }

  UpdateClasses classes_;
  std::vector<Intervals> alone_;
};

TEST(UpdateClasses, EachOperandHasItsOwnIntervals) {
  std::vector<uint32_t> source_of;
  for (uint32_t i = 0; i < kOperands; ++i) source_of.push_back(i % 2);
  for (uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Checked checked(source_of);
    for (int64_t seconds = 0; seconds < 3000;) {
      if (random() % 10 == 0) checked.start_segment(static_cast<uint32_t>(random() % 2), source_of);
      std::vector<Recorded> records;
      for (auto n = 1 + random() % 20; n > 0; --n) {
        records.push_back(random_record(random, seconds += 10));
      }
      checked.take(records, random() % 4 != 0);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// A record that lacked some metrics does not tell for ever.
TEST(UpdateClasses, ThoseThatHaveBecomeAlikeAreJoined) {
  Checked checked(std::vector<uint32_t>(kOperands, 0));
  const std::vector<uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8}, some{0, 1, 2};
  checked.take({{{0, 0}, all}, {{10, 0}, some}}, true);
  EXPECT_EQ(checked.size(), 2);
  checked.take({{{20, 0}, all}}, true);
  EXPECT_EQ(checked.size(), 2);
  std::vector<Recorded> records;
  for (int64_t seconds = 30; seconds < 150; seconds += 10) records.push_back({{seconds, 0}, all});
  checked.take(records, true);
  EXPECT_EQ(checked.size(), 2);
  checked.take({{{150, 0}, all}}, false);
  EXPECT_EQ(checked.size(), 2);
  checked.take({{{160, 0}, all}}, true);
  EXPECT_EQ(checked.size(), 1);
}

}  // namespace
}  // namespace pmjit
