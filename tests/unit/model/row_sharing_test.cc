// Columns share their list of rows while these are equal, and each has the rows that it would have
// alone.
#include "runtime/model/row_sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pmjit {
namespace {

constexpr uint32_t kColumns = 7;

Block empty_block() {
  Block block;
  block.columns.resize(kColumns);
  return block;
}

bool equal(const Row& one, const Row& other) {
  return one.stamp == other.stamp && one.roster_id == other.roster_id &&
         one.status == other.status && one.record == other.record && one.offset == other.offset;
}

TEST(RowList, WhoeverChangesRowsHasThemAlone) {
  RowList one{{.record = 1}, {.record = 2}};
  RowList other = one;
  EXPECT_TRUE(other.shares_list(one));
  EXPECT_FALSE(one.has_own_list());
  other.edit()[0].record = 7;
  EXPECT_FALSE(other.shares_list(one));
  EXPECT_EQ(one[0].record, 1);
  EXPECT_EQ(other[0].record, 7);
  EXPECT_TRUE(one.has_own_list());
}

TEST(RowList, ClearingLeavesTheOthersTheirs) {
  RowList one{{.record = 1}};
  RowList other = one;
  other.clear();
  EXPECT_TRUE(other.empty());
  EXPECT_EQ(one.size(), 1);
  one.clear();
  EXPECT_TRUE(one.empty());
  EXPECT_TRUE(one.has_own_list());  // its memory is kept
}

TEST(RowSharing, RecordsThatCarryAllCostOneRow) {
  Block block = empty_block();
  RowSharing sharing;
  sharing.start(block);
  RecordRows rows;
  for (uint32_t i = 0; i < kColumns; ++i) rows.add(Rosters::kSingularId, 0, i, 1);
  for (uint32_t record = 0; record < 5; ++record) {
    block.records.push_back({.stamp = {record, 0}});
    sharing.append(block, rows, record);
  }
  EXPECT_EQ(sharing.rows(), 5);
  for (const Column& column : block.columns) {
    EXPECT_TRUE(column.rows.shares_list(block.columns[0].rows));
    EXPECT_EQ(column.rows.size(), 5);
  }
}

// As rows of many hosts come, and by several decoders.
TEST(RowSharing, WithoutAStartEachColumnHasItsOwn) {
  Block block = empty_block();
  RowSharing one, other;
  RecordRows all, some;
  for (uint32_t i = 0; i < kColumns; ++i) all.add(Rosters::kSingularId, 0, i, 1);
  some.add(Rosters::kSingularId, 0, 2, 1);
  const auto append = [&](RowSharing& to, RecordRows& rows, uint32_t record) {
    block.records.push_back({.stamp = {record + 1, 0}});
    to.append(block, rows, record);
  };
  append(one, all, 0);
  block.columns[3].rows.push_back({.record = 1});
  append(other, some, 1);
  append(one, all, 2);
  for (uint32_t i = 0; i < kColumns; ++i) {
    EXPECT_EQ(block.columns[i].rows.size(), i == 2 || i == 3 ? 3 : 2);
    EXPECT_TRUE(block.columns[i].rows.has_own_list());
  }
}

// Records of random columns with one of a few rosters, as a decoder has them; some come again.
TEST(RowSharing, EachColumnHasItsOwnRows) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    RowSharing sharing;
    Block block = empty_block();
    for (int round = 0; round < 3; ++round) {
      block.clear();
      sharing.start(block);
      std::vector<std::vector<Row>> alone(kColumns);
      std::vector<RecordRows> known;
      std::vector<std::vector<Row>> known_rows;
      for (uint32_t record = 0; record < 20;) {
        size_t which = random() % (known.size() + 1);
        if (which == known.size()) {
          known.emplace_back();
          known_rows.emplace_back(kColumns, Row{.record = kNoIndex});
          for (uint32_t i = 0; i < kColumns; ++i) {
            if (random() % 3 == 0) continue;
            const RosterId roster{{static_cast<uint32_t>(random() % 2)}};
            const int32_t status = random() % 8 == 0 ? -12345 : 0;
            known.back().add(roster, status, i, status == 0 ? 1 + roster.index : 0);
            known_rows.back()[i] = {.roster_id = roster, .status = status};
          }
        }
        const uint32_t end = record + 1 + static_cast<uint32_t>(random() % 3);
        for (uint32_t k = record; k < end; ++k) block.records.push_back({.stamp = {k, 0}});
        const uint64_t rows = sharing.rows(), each = sharing.rows_of(block, known[which]);
        sharing.append(block, known[which], record);
        EXPECT_EQ(sharing.rows(), rows + (end - record) * each);
        for (; record < end; ++record) {
          for (uint32_t i = 0; i < kColumns; ++i) {
            Row row = known_rows[which][i];
            if (row.record == kNoIndex) continue;
            row.stamp = {record, 0};
            row.record = record;
            row.offset = block.columns[i].count;
            alone[i].push_back(row);
            if (row.status == 0) block.columns[i].grow(1 + row.roster_id.index);
          }
        }
      }
      for (uint32_t i = 0; i < kColumns; ++i) {
        ASSERT_TRUE(std::ranges::equal(block.columns[i].rows.list(), alone[i], equal))
            << "seed " << seed << ", column " << i;
      }
    }
  }
}

}  // namespace
}  // namespace pmjit
