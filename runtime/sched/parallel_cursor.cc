#include "runtime/sched/parallel_cursor.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/sched/piece_slot.h"

namespace pmjit {

namespace {

// One that is decoded, and one that waits for whoever is ready first.
constexpr unsigned kSlotsPerThread = 2;

class ParallelCursor final : public Cursor {
 public:
  ParallelCursor(std::unique_ptr<Pieces> pieces, Executor& executor, Rosters& rosters)
      : pieces_(std::move(pieces)), rosters_(rosters) {
    for (unsigned i = 0; i < executor.threads() * kSlotsPerThread; ++i) {
      free_.push_back(std::make_unique<PieceSlot>(*pieces_, executor));
    }
  }

  Result<bool> next(Block& block) override {
    block.clear();
    while (!over_) {
      read_ahead();
      if (flying_.empty()) {
        failure_ = read_failure_;
        over_ = true;
        break;
      }
      PieceSlot& first = *flying_.front();
      if (first.take(block, rosters_)) return true;
      failure_ = first.failure();
      over_ = failure_.has_value();
      const bool ended = first.ended();
      const uint32_t part = first.part();
      land();
      if (ended) pass_over(part);
    }
    if (failure_) return fail(*failure_);
    return false;
  }

  double done() const override { return over_ ? 1 : pieces_->done(); }

 private:
  // Into every slot that is free.
  void read_ahead() {
    while (!read_all_ && !free_.empty()) {
      const auto got = free_.back()->read(*pieces_);
      read_all_ = !got || !*got;
      if (!got) read_failure_ = got.error();
      if (read_all_) break;
      // A source that is one piece is decoded here: no thread is woken for it.
      if (!flying_.empty()) flying_.back()->start();
      flying_.push_back(std::move(free_.back()));
      free_.pop_back();
    }
    if (flying_.size() > 1) flying_.back()->start();
  }

  void land() {
    free_.push_back(std::move(flying_.front()));
    flying_.pop_front();
  }

  // What was read of a part behind its end, damage too, is nobody's.
  void pass_over(uint32_t part) {
    while (!flying_.empty() && flying_.front()->part() == part) {
      flying_.front()->drop();
      land();
    }
    if (read_failure_ && pieces_->part() == part) {
      read_failure_.reset();
      read_all_ = false;
    }
    pieces_->pass_over(part);
  }

  std::unique_ptr<Pieces> pieces_;
  Rosters& rosters_;
  std::vector<std::unique_ptr<PieceSlot>> free_;
  std::deque<std::unique_ptr<PieceSlot>> flying_;  // in the order of the source
  bool read_all_ = false, over_ = false;
  std::optional<Error> read_failure_, failure_;
};

}  // namespace

std::unique_ptr<Cursor> parallel_cursor(std::unique_ptr<Pieces> pieces, Executor& executor,
                                        Rosters& rosters) {
  return std::make_unique<ParallelCursor>(std::move(pieces), executor, rosters);
}

}  // namespace pmjit
