// The sampler cuts the same records into the same groups whatever the block sizes.

#include <gtest/gtest.h>

#include <deque>
#include <iterator>
#include <random>
#include <string>

#include "runtime/exec/sampler.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

// One record of the test: a time in milliseconds, and which operands it carries (value = the time).
struct Given {
  int64_t ms;
  std::vector<uint32_t> operands;
  bool mark = false;
};

class ListCursor final : public Cursor {
 public:
  ListCursor(std::vector<Given> records, size_t operands, size_t block_records, bool fails)
      : records_(std::move(records)),
        operands_(operands),
        block_records_(block_records),
        fails_(fails) {}

  Result<bool> next(Block& block) override {
    block.clear();
    block.columns.resize(operands_);
    if (at_ == records_.size()) {
      if (fails_) return fail(Fault::io, "the rest cannot be read");
      return false;
    }
    for (size_t i = 0; i < block_records_ && at_ < records_.size(); ++i, ++at_)
      add(block, records_[at_]);
    return true;
  }
  double done() const override { return 0; }

 private:
  static void add(Block& block, const Given& given) {
    const Stamp stamp = stamp_from_nanos(Nanos{given.ms} * 1'000'000);
    const auto record = static_cast<uint32_t>(block.records.size());
    block.records.push_back({.stamp = stamp, .mark = given.mark});
    for (uint32_t operand : given.operands) {
      Column& column = block.columns[operand];
      column.elem = Elem::i64;
      const uint64_t at = column.grow(1);
      column.values.as<int64_t>()[at] = given.ms;
      column.rows.push_back(
          Row{.stamp = stamp, .roster_id = Rosters::kSingularId, .record = record, .offset = at});
    }
  }

  std::vector<Given> records_;
  size_t operands_, block_records_, at_ = 0;
  bool fails_;  // at the end
};

// Where the wave says that a metric is logged with another one.
void expect_rows_like(const Wave& wave, const Observations& given) {
  if (given.like == kNoIndex) return;
  const Observations& first = wave.operands[given.like];
  EXPECT_EQ(first.like, kNoIndex);
  EXPECT_TRUE(given.limits.empty());
  ASSERT_EQ(first.column.rows.size(), given.column.rows.size());
  for (size_t n = 0; n < given.column.rows.size(); ++n) {
    EXPECT_EQ(first.column.rows[n].record, given.column.rows[n].record);
    EXPECT_TRUE(first.column.rows[n].stamp == given.column.rows[n].stamp);
  }
}

// "t:a=…,b=…" a group, in order, with the values that operands 0 → a, 1 → b … have in it.
std::vector<std::string> groups_of(const std::vector<Given>& records, size_t operands,
                                   size_t block_records, bool fails = false) {
  Sampler sampler(std::make_unique<ListCursor>(records, operands, block_records, fails),
                  std::vector<bool>(operands, false));
  std::vector<std::string> out;
  Wave wave;
  while (true) {
    const auto next = sampler.next(wave);
    const bool over = !next || *next == Feed::Next::end;
    EXPECT_NE(next.has_value(), fails && over);
    if (over) return out;
    for (size_t g = 0; g < wave.groups.size(); ++g) {
      std::string text = std::to_string(static_cast<int64_t>(nanos(wave.groups[g].t) / 1'000'000)) +
                         "/" + std::to_string(wave.groups[g].segment) + ":";
      for (size_t i = 0; i < operands; ++i) {
        const Column& column = wave.operands[i].column;
        EXPECT_EQ(column.rows.size(), wave.limits_of(static_cast<uint32_t>(i)).size());
        expect_rows_like(wave, wave.operands[i]);
        for (const Row& row : column.rows) {
          if (row.record != g) continue;
          text += std::string(1, static_cast<char>('a' + i)) +
                  std::to_string(column.values.as<int64_t>()[row.offset]);
        }
      }
      out.push_back(text);
    }
  }
}

using Groups = std::vector<std::string>;

void expect_groups(const std::vector<Given>& records, size_t operands, const Groups& expected) {
  for (size_t block = 1; block <= records.size() + 1; ++block) {
    EXPECT_EQ(groups_of(records, operands, block), expected) << "blocks of " << block;
  }
}

TEST(Sampler, RecordsWithinTheToleranceAreOneGroupWithTheLastStamp) {
  expect_groups({{0, {0}}, {40, {1}}, {1000, {0}}, {1060, {1}}, {2000, {0}}, {2030, {1}}}, 2,
                {"40/0:a0b40", "1060/0:a1000b1060", "2030/0:a2000b2030"});
}

TEST(Sampler, TheToleranceIsAQuarterOfTheShortestInterval) {
  // a every 100 ms: τ = 25 ms, so b at +30 ms stands alone once L is known, after two steps.
  expect_groups({{0, {0}}, {30, {1}}, {100, {0}}, {130, {1}}, {200, {0}}, {230, {1}}}, 2,
                {"30/0:a0b30", "130/0:a100b130", "200/0:a200", "230/0:b230"});
}

TEST(Sampler, AnOperandIsInAGroupOnce) {
  expect_groups({{0, {0}}, {50, {0}}, {60, {1}}}, 2, {"0/0:a0", "60/0:a50b60"});
}

TEST(Sampler, TheLaterOfTwoAtOneStampReplacesTheEarlier) {
  expect_groups({{10, {0, 1}}, {10, {0}}, {1010, {0, 1}}}, 2, {"10/0:a10b10", "1010/0:a1010b1010"});
}

TEST(Sampler, AMarkEndsGroupAndSegment) {
  expect_groups({{0, {0}}, {1, {}, true}, {2, {1}}, {1000, {0}}}, 2,
                {"0/0:a0", "2/1:b2", "1000/1:a1000"});
}

// Spec dialects.md, row 123: a jump clears history.
TEST(Sampler, TimeGoingBackStartsANewSegment) {
  expect_groups({{1000, {0}}, {500, {0}}, {1500, {0}}}, 1,
                {"1000/0:a1000", "500/1:a500", "1500/1:a1500"});
}

TEST(Sampler, NothingAtAll) { expect_groups({}, 2, {}); }

// Whether a record that cannot be read would have joined the last group nobody knows.
TEST(Sampler, TheGroupBeforeAnErrorIsNotGiven) {
  const std::vector<Given> records = {{0, {0}}, {1000, {0}}, {1010, {1}}};
  for (size_t block = 1; block <= records.size(); ++block) {
    EXPECT_EQ(groups_of(records, 2, block, true), Groups{"0/0:a0"}) << "blocks of " << block;
  }
}

TEST(Sampler, BlocksMakeNoDifference) {
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  for (uint32_t run = 0; run < test::turns(200); ++run) {
    std::vector<Given> records;
    int64_t now = 0;
    for (int64_t i = below(40); i >= 0; --i) {
      constexpr int64_t kSteps[] = {0, 5, 20, 90, 400, 1000, -300};
      now += kSteps[below(std::size(kSteps))];
      Given given{.ms = now, .operands = {}, .mark = below(15) == 0};
      for (uint32_t operand = 0; operand < 3 && !given.mark; ++operand) {
        if (below(2) == 0) given.operands.push_back(operand);
      }
      if (given.mark || !given.operands.empty()) records.push_back(given);
    }
    expect_groups(records, 3, groups_of(records, 3, records.size() + 1));
  }
}

}  // namespace
}  // namespace pmjit
