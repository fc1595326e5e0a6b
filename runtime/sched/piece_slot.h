// PieceSlot: a piece on its way through another thread: read by one, decoded by any, its blocks
// taken by the first again. Threads share no rosters: a slot has its own, and they meet by content
// when a block is taken.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/model/source.h"
#include "runtime/sched/executor.h"

namespace pmjit {

class PieceSlot {
 public:
  // Both outlive it.
  PieceSlot(const Pieces& pieces, Executor& executor);

  [[nodiscard]] Result<bool> read(Pieces& pieces);
  // Decodes on another thread; once for each piece that was read.
  void start();
  // The next block of the piece; decodes it here where it was not started. False: there is none.
  // Throws what decoding threw: std::bad_alloc.
  [[nodiscard]] bool take(Block& block, Rosters& rosters);
  // Nothing of the piece is wanted.
  void drop() { finish(); }
  [[nodiscard]] uint32_t part() const { return piece_->part(); }
  // When all blocks were taken: whether the piece's part ends here, and why the piece does.
  [[nodiscard]] bool ended() const { return state_ == Piece::State::ended; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  void renew();
  void decode();
  void finish();
  RosterId shared(RosterId own, Rosters& rosters);

  const Pieces& pieces_;
  std::unique_ptr<Rosters> rosters_;
  std::vector<RosterId> shared_;  // of each of them its id for whoever takes blocks
  std::unique_ptr<Piece> piece_;
  std::vector<Block> blocks_;  // the first made_ are of this piece
  size_t made_ = 0, taken_ = 0;
  enum class Work { read, started, done } work_ = Work::done;
  Piece::State state_ = Piece::State::spent;
  std::optional<Error> failure_;
  std::exception_ptr thrown_;
  Executor::Task task_;  // the last: it ends before what it works on
};

}  // namespace pmjit
