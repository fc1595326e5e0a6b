#include "runtime/sched/piece_slot.h"

#include <utility>

namespace pmjit {

namespace {

// Where an instance domain changes all the time rosters would pile up in every slot.
constexpr size_t kRostersMax = 1'024;
constexpr RosterId kUnknown{{UINT32_MAX}};

}  // namespace

PieceSlot::PieceSlot(const Pieces& pieces, Executor& executor) : pieces_(pieces), task_(executor) {
  renew();
}

void PieceSlot::renew() {
  rosters_ = std::make_unique<Rosters>();
  shared_.clear();
  piece_ = pieces_.make_piece(*rosters_);
}

Result<bool> PieceSlot::read(Pieces& pieces) {
  if (shared_.size() > kRostersMax) renew();
  auto got = pieces.read(*piece_);
  made_ = taken_ = 0;
  failure_.reset();
  thrown_ = nullptr;
  work_ = Work::read;
  return got;
}

void PieceSlot::start() {
  if (work_ != Work::read) return;
  work_ = Work::started;
  task_.start([this] {
    try {
      decode();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  });
}

void PieceSlot::decode() {
  for (state_ = Piece::State::more; state_ == Piece::State::more;) {
    if (made_ == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[made_++];
    piece_->prepare(block);
    const auto state = piece_->decode(block);
    if (!state) {
      failure_ = state.error();
      return;
    }
    state_ = *state;
  }
}

void PieceSlot::finish() {
  if (work_ == Work::started) task_.wait();
  if (work_ == Work::read) decode();
  work_ = Work::done;
}

bool PieceSlot::take(Block& block, Rosters& rosters) {
  finish();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  uint64_t walked = block.bytes;  // to get to its first record
  while (taken_ < made_) {
    Block& next = blocks_[taken_++];
    if (next.records.empty()) {
      walked += next.bytes;
      continue;
    }
    std::swap(block, next);
    block.bytes += walked;
    for (Column& column : block.columns) {
      for (Row& row : column.rows) row.roster_id = shared(row.roster_id, rosters);
    }
    return true;
  }
  block.bytes = walked;
  return false;
}

RosterId PieceSlot::shared(RosterId own, Rosters& rosters) {
  if (own.index >= shared_.size()) shared_.resize(own.index + 1, kUnknown);
  RosterId& id = shared_[own.index];
  if (id == kUnknown) id = rosters.intern(rosters_->instances(own));
  return id;
}

}  // namespace pmjit
