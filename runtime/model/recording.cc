#include "runtime/model/recording.h"

#include <optional>
#include <utility>

namespace pmjit {

namespace {

class PieceCursor final : public Cursor {
 public:
  PieceCursor(std::unique_ptr<Pieces> pieces, Rosters& rosters)
      : pieces_(std::move(pieces)), piece_(pieces_->make_piece(rosters, bytes_)) {}

  Result<bool> next(Block& block) override {
    piece_->prepare(block);
    while (!failure_ && !at_end_) {
      if (state_ != Piece::State::more && !read()) break;
      const auto state = piece_->decode(block);
      if (!state) {
        failure_ = state.error();
        break;
      }
      state_ = *state;
      if (state_ == Piece::State::ended) pieces_->pass_over(piece_->part());
      if (state_ == Piece::State::more) break;
    }
    if (!block.records.empty()) return true;
    if (failure_) return fail(*failure_);
    return false;
  }

  double done() const override { return at_end_ ? 1 : pieces_->done(); }

 private:
  bool read() {
    const auto got = pieces_->read(*piece_);
    if (!got) failure_ = got.error();
    at_end_ = got && !*got;
    return got && *got;
  }

  std::unique_ptr<Pieces> pieces_;
  Buffer bytes_;
  std::unique_ptr<Piece> piece_;
  Piece::State state_ = Piece::State::spent;
  bool at_end_ = false;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<Pieces>> Recording::open_pieces(const FetchPlan& plan) const {
  (void)plan;
  return nullptr;
}

std::unique_ptr<Cursor> cursor_over(std::unique_ptr<Pieces> pieces, Rosters& rosters) {
  return std::make_unique<PieceCursor>(std::move(pieces), rosters);
}

}  // namespace pmjit
