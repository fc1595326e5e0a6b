#include "compiler/codegen/operators.h"

namespace pmjit::codegen {

namespace {

using llvm::Value;

bool wraps(const KernelOp& op) { return op.counter && op.payload != 0; }

Partial real_rise(Emit& e, const KernelOp& op, Value* now, Value* before) {
  Value* rise = e.b.CreateFSub(now, before);
  // Unordered counts as not fallen: the NaN is the result.
  Value* has = op.counter ? e.mask(e.b.CreateFCmpUGE(now, before)) : e.all();
  return {rise, has};
}

// 32-bit integers differ exactly in 64 bits.
Partial narrow_rise(Emit& e, const KernelOp& op, Value* now, Value* before) {
  llvm::Type* wide = e.vector(Elem::i64);
  const bool is_signed = op.elems[0] == Elem::i32;
  Value* x = is_signed ? e.b.CreateSExt(now, wide) : e.b.CreateZExt(now, wide);
  Value* y = is_signed ? e.b.CreateSExt(before, wide) : e.b.CreateZExt(before, wide);
  Value* rise = e.b.CreateSub(x, y);
  if (!op.counter) return {rise, e.all()};
  Value* fell = e.b.CreateICmpSLT(rise, e.splat_i64(0));
  if (!wraps(op)) return {rise, e.b.CreateNot(e.mask(fell))};
  Value* wrapped = e.b.CreateAdd(rise, e.splat_i64(uint64_t{1} << 32));
  return {e.b.CreateSelect(fell, wrapped, rise), e.all()};
}

// The difference of two 64-bit integers modulo 2^64, and which lanes did not fall. What a wrapped
// counter rose is the difference modulo 2^64, read as unsigned.
struct WideRise {
  Value* difference;
  Value* risen;  // <8 x i1>
};
WideRise wide_rise(Emit& e, const KernelOp& op, Value* now, Value* before) {
  Value* risen =
      op.elems[0] == Elem::i64 ? e.b.CreateICmpSGE(now, before) : e.b.CreateICmpUGE(now, before);
  return {e.b.CreateSub(now, before), risen};
}

}  // namespace

Partial emit_delta(Emit& e, const KernelOp& op, Value* now, Value* before) {
  if (op.elems[0] == Elem::f64) return real_rise(e, op, now, before);
  if (elem_bytes(op.elems[0]) == 4) return narrow_rise(e, op, now, before);
  const WideRise rise = wide_rise(e, op, now, before);
  Value* risen = e.mask(rise.risen);
  Value* positive = e.mask(e.b.CreateICmpSGE(rise.difference, e.splat_i64(0)));
  if (wraps(op)) return {rise.difference, positive};
  if (op.counter) return {rise.difference, e.b.CreateAnd(risen, positive)};
  return {rise.difference, e.b.CreateNot(e.b.CreateXor(risen, positive))};
}

Partial emit_rise(Emit& e, const KernelOp& op, Value* now, Value* before) {
  llvm::Type* real = e.vector(Elem::f64);
  if (op.elems[0] == Elem::f64) return real_rise(e, op, now, before);
  if (elem_bytes(op.elems[0]) == 4) {
    const Partial rise = narrow_rise(e, op, now, before);
    return {e.b.CreateSIToFP(rise.value, real), rise.has};
  }
  const WideRise rise = wide_rise(e, op, now, before);
  if (op.counter) {
    Value* has = wraps(op) ? e.all() : e.mask(rise.risen);
    return {e.b.CreateUIToFP(rise.difference, real), has};
  }
  Value* fall = e.b.CreateNeg(rise.difference);
  Value* size = e.b.CreateUIToFP(e.b.CreateSelect(rise.risen, rise.difference, fall), real);
  return {e.b.CreateSelect(rise.risen, size, e.b.CreateFNeg(size)), e.all()};
}

}  // namespace pmjit::codegen
