#include "compiler/codegen/lanes8.h"

namespace pmjit::codegen {

namespace {

using Picks = std::array<int, kLanes>;
struct Halves {
  Picks low, high;
};

// Each is one instruction where a vector is one register. Pairs of rows, then of pairs, of fours.
constexpr Halves kPairs = {{0, 8, 2, 10, 4, 12, 6, 14}, {1, 9, 3, 11, 5, 13, 7, 15}};
constexpr Halves kFours = {{0, 1, 8, 9, 4, 5, 12, 13}, {2, 3, 10, 11, 6, 7, 14, 15}};
constexpr Halves kEights = {{0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}};

// Vector i with vector i + distance: to i the low half, to i + distance the high one.
Square exchanged(Emit& e, const Square& in, const Halves& halves, size_t distance) {
  Square out{};
  for (size_t i = 0; i < kLanes; ++i) {
    if ((i & distance) != 0) continue;
    out[i] = e.b.CreateShuffleVector(in[i], in[i + distance], halves.low);
    out[i + distance] = e.b.CreateShuffleVector(in[i], in[i + distance], halves.high);
  }
  return out;
}

}  // namespace

llvm::Type* Emit::scalar(Elem elem) const {
  switch (elem) {
    case Elem::f32: return b.getFloatTy();
    case Elem::f64: return b.getDoubleTy();
    default: return b.getIntNTy(static_cast<unsigned>(8 * elem_bytes(elem)));
  }
}

llvm::Type* Emit::vector(llvm::Type* of) const { return llvm::FixedVectorType::get(of, kLanes); }
llvm::Type* Emit::vector(Elem elem) const { return vector(scalar(elem)); }

llvm::Value* Emit::splat_i64(uint64_t value) const {
  return b.CreateVectorSplat(kLanes, b.getInt64(value));
}

llvm::Value* Emit::splat_f64(double value) const {
  return b.CreateVectorSplat(kLanes, llvm::ConstantFP::get(b.getDoubleTy(), value));
}

llvm::Value* Emit::splat_bits(Elem elem, uint64_t bits) const {
  return elem == Elem::f64 ? splat_f64(std::bit_cast<double>(bits)) : splat_i64(bits);
}

// Most validity is that of operands alone: every instruction less is compiled faster.
llvm::Value* Emit::both(llvm::Value* x, llvm::Value* y) const {
  if (x == all() || x == y) return y;
  return y == all() ? x : b.CreateAnd(x, y);
}

llvm::Value* Emit::mask(llvm::Value* bools) const { return b.CreateBitCast(bools, b.getInt8Ty()); }

llvm::Value* Emit::bools(llvm::Value* mask) const {
  return b.CreateBitCast(mask, vector(b.getInt1Ty()));
}

llvm::Value* Emit::from_memory(Elem elem, llvm::Value* loaded) const {
  if (elem != Elem::truth) return loaded;
  return mask(b.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType())));
}

llvm::Value* Emit::to_memory(Elem elem, llvm::Value* value) const {
  return elem == Elem::truth ? b.CreateZExt(bools(value), vector(elem)) : value;
}

Square transposed(Emit& e, const Square& rows) {
  return exchanged(e, exchanged(e, exchanged(e, rows, kPairs, 1), kFours, 2), kEights, 4);
}

}  // namespace pmjit::codegen
