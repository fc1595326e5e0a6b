// BlockTruths: the truth of each condition of a task at each row of a block, and the conditions
// that change or hold at a row. A rule does something only where one of its conditions changes or
// holds. Most conditions do neither for hours.
//
//   truths.take(block, rosters);
//   truths.find_awake();                     // where each row follows the one before in time
//   for (uint32_t root : truths.awake(row)) …
//   truths.at(root, row)
//
// It reads truths from the block itself, so the block must not change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/model/events.h"
#include "runtime/model/feed.h"
#include "runtime/model/roster.h"

namespace pmjit::strict {

class BlockTruths {
 public:
  // `judged`: the roots that are truths without instances.
  void judge(std::vector<uint32_t> judged);
  // `block` and `rosters` stay until the next call.
  void take(const ResultBlock& block, const Rosters& rosters);
  // The row before the first is the last one of the block before.
  void find_awake();

  [[nodiscard]] RuleTruth at(size_t root, size_t row) const;
  // Of the judged roots those whose truth is not that of the row before, and those that hold.
  [[nodiscard]] std::span<const uint32_t> awake(size_t row) const { return awake_[row]; }

 private:
  std::vector<uint32_t> judged_;
  std::vector<std::optional<RuleTruth>> last_;  // of each of them
  const ResultBlock* block_ = nullptr;
  const Rosters* rosters_ = nullptr;
  std::vector<const std::byte*> known_;  // of a root: its truths by row; null: as the rows say
  std::vector<std::vector<uint32_t>> awake_;
};

}  // namespace pmjit::strict
