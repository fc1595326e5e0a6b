// A slot's blocks are given away and come back: none is made that is not needed.
#include "runtime/sched/piece_slot.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

// Of as many blocks as it is told, a record each.
class CountedPiece final : public Piece {
 public:
  uint32_t part() const override { return 0; }
  void prepare(Block& block) override {
    made += block.columns.empty();
    block.columns.resize(1);
    block.clear();
  }
  Result<State> decode(Block& block) override {
    block.records.push_back({});
    return --left == 0 ? State::spent : State::more;
  }
  size_t left = 0, made = 0;  // made: blocks without memory that were given to it
};

class CountedPieces final : public Pieces {
 public:
  std::unique_ptr<Piece> make_piece(Rosters&, Buffer&) const override {
    return std::make_unique<CountedPiece>();
  }
  Result<bool> read(Piece& piece) override {
    constexpr size_t kBlocks[] = {5, 1, 1, 3};
    last = &static_cast<CountedPiece&>(piece);
    last->left = kBlocks[number++ % std::size(kBlocks)];
    return true;
  }
  uint32_t part() const override { return 0; }
  Result<void> go_on_behind(const Piece&) override { return {}; }
  void pass_over(uint32_t) override {}
  double done() const override { return 0; }
  CountedPiece* last = nullptr;
  size_t number = 0;
};

TEST(PieceSlot, BlocksThatCameBackAreUsedAgain) {
  CountedPieces pieces;
  Buffer bytes;
  PieceSlot slot(pieces, bytes);
  Rosters rosters;
  std::vector<Block> spare;
  for (int i = 0; i < 100; ++i) {
    slot.stock(spare);
    ASSERT_TRUE(slot.read(pieces).value_or(false));
    slot.decode();
    Block block;
    uint64_t walked = 0;
    while (slot.take(block, rosters, walked)) spare.push_back(std::move(block));
  }
  EXPECT_EQ(pieces.last->made, 5u);
  EXPECT_LE(spare.size(), 5u);
}

}  // namespace
}  // namespace pmjit
