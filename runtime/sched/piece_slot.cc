#include "runtime/sched/piece_slot.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pmjit {

PieceSlot::PieceSlot(const Pieces& pieces, Buffer& bytes) : pieces_(pieces), bytes_(bytes) {
  renew();
  blocks_.reserve(1);  // so that stock() needs no memory
}

void PieceSlot::renew() {
  rosters_ = std::make_unique<Rosters>();
  shared_.clear();
  piece_ = pieces_.make_piece(*rosters_, bytes_);
}

void PieceSlot::stock(std::vector<Block>& spare) {
  most_ = std::max(most_, made_);
  std::erase_if(blocks_, [](const Block& block) { return block.columns.empty(); });
  made_ = taken_ = 0;
  while (blocks_.size() < most_ && !spare.empty()) {
    blocks_.push_back(std::move(spare.back()));
    spare.pop_back();
  }
}

Result<bool> PieceSlot::read(Pieces& pieces) {
  made_ = taken_ = 0;
  state_ = Piece::State::spent;
  failure_.reset();
  thrown_ = nullptr;
  try {
    // Where an instance domain changes all the time rosters would pile up in every slot.
    if (rosters_->crowded()) renew();
    return pieces.read(*piece_);
  } catch (...) {
    thrown_ = std::current_exception();
    return true;
  }
}

void PieceSlot::decode() {
  if (thrown_) return;
  try {
    decode_all();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

void PieceSlot::decode_all() {
  do {
    if (made_ == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[made_++];
    piece_->prepare(block);
    const auto state = piece_->decode(block);
    if (!state) {
      failure_ = state.error();
      state_ = Piece::State::spent;
      return;
    }
    state_ = *state;
  } while (state_ == Piece::State::more);
}

bool PieceSlot::take(Block& block, Rosters& rosters, uint64_t& walked) {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  while (taken_ < made_) {
    Block& next = blocks_[taken_++];
    if (next.records.empty()) {
      walked += next.bytes;
      continue;
    }
    lists_met_.clear();
    for (Column& column : next.columns) {
      if (column.rows.empty() || !lists_met_.insert(column.rows.identity()).second) continue;
      for (Row& row : column.rows.edit_for_all()) row.roster_id = shared(row.roster_id, rosters);
    }
    block = std::exchange(next, {});
    return true;
  }
  return false;
}

RosterId PieceSlot::shared(RosterId own, Rosters& rosters) {
  if (own.index >= shared_.size()) shared_.resize(own.index + 1);
  RosterId& id = shared_[own.index];
  if (!rosters.knows(id)) id = rosters.intern(rosters_->instances(own));
  return id;
}

}  // namespace pmjit
