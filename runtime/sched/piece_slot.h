// PieceSlot: a piece and the blocks that are made of it: read and decoded by one thread, whose
// caches the bytes are in then, and taken by another. Threads share no rosters: a slot has its own,
// and they meet by content when a block is taken.
//
// Whoever has a slot has it alone; ParallelCursor hands them from one thread to another.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "runtime/model/recording.h"

namespace pmjit {

class PieceSlot {
 public:
  // Both outlive it. `bytes`: what is read and not decoded yet; of all slots of one thread.
  PieceSlot(const Pieces& pieces, Buffer& bytes);

  // Memory for blocks, which are given away: what is there already, and some of `spare`.
  void stock(std::vector<Block>& spare);
  // As Pieces::read() does, but what that throws (what was thrown (no memory, ReadingStopped)) is
  // kept for take().
  [[nodiscard]] Result<bool> read(Pieces& pieces);
  // Makes all blocks. What it throws is kept likewise.
  void decode();
  // The next block. False: there is none. `walked` grows by the bytes that lie before its first
  // record. Throws what reading and decoding threw.
  [[nodiscard]] bool take(Block& block, Rosters& rosters, uint64_t& walked);
  [[nodiscard]] const Piece& piece() const { return *piece_; }
  // When all blocks were taken: what follows the piece, and why it ends here.
  [[nodiscard]] Piece::State state() const { return state_; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  void renew();
  void decode_all();
  RosterId shared(RosterId own, Rosters& rosters);

  const Pieces& pieces_;
  Buffer& bytes_;
  std::unique_ptr<Rosters> rosters_;
  std::vector<RosterId> shared_;               // the taker's id of each roster here
  std::unordered_set<const void*> lists_met_;  // row lists that take() has translated
  std::unique_ptr<Piece> piece_;
  std::vector<Block> blocks_;  // the first made_ are of this piece, of which taken_ are gone
  size_t made_ = 0, taken_ = 0;
  size_t most_ = 1;  // that a piece has made: as many are kept ready
  Piece::State state_ = Piece::State::spent;
  std::optional<Error> failure_;
  std::exception_ptr thrown_;
};

}  // namespace pmjit
