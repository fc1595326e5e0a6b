#include "compiler/codegen/lanes8.h"

namespace pmjit::codegen {

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

}  // namespace pmjit::codegen
