#include "compiler/codegen/operators.h"

#include <llvm/IR/Intrinsics.h>

namespace pmjit::codegen {

namespace {

using llvm::Value;

// Where the operands' signs differ: in 128 bits, which hold every sum and product of two 64-bit
// integers.
Value* widen(Emit& e, Elem elem, Value* v) {
  llvm::Type* wide = e.vector(e.b.getIntNTy(128));
  return elem == Elem::i64 ? e.b.CreateSExt(v, wide) : e.b.CreateZExt(v, wide);
}

Partial narrow(Emit& e, Elem elem, Value* wide) {
  Value* value = e.b.CreateTrunc(wide, e.vector(elem));
  return {value, e.mask(e.b.CreateICmpEQ(widen(e, elem, value), wide))};
}

Partial emit_mixed(Emit& e, Arith what, const KernelOp& op, Value* a, Value* b) {
  Value* x = widen(e, op.elems[0], a);
  Value* y = widen(e, op.elems[1], b);
  switch (what) {
    case Arith::add: return narrow(e, op.result, e.b.CreateAdd(x, y));
    case Arith::sub: return narrow(e, op.result, e.b.CreateSub(x, y));
    case Arith::mul: break;
  }
  return narrow(e, op.result, e.b.CreateMul(x, y));
}

Partial with_overflow(Emit& e, llvm::Intrinsic::ID id, Value* a, Value* b) {
  Value* both = e.b.CreateBinaryIntrinsic(id, a, b);
  Value* overflow = e.mask(e.b.CreateExtractValue(both, 1));
  return {e.b.CreateExtractValue(both, 0), e.b.CreateNot(overflow)};
}

// The difference modulo 2^64, read as signed, is the exact one if its sign is.
Partial unsigned_difference(Emit& e, Value* a, Value* b) {
  Value* difference = e.b.CreateSub(a, b);
  Value* is_negative = e.mask(e.b.CreateICmpSLT(difference, e.splat_i64(0)));
  Value* shall_be = e.mask(e.b.CreateICmpULT(a, b));
  return {difference, e.b.CreateNot(e.b.CreateXor(is_negative, shall_be))};
}

Value* emit_real(Emit& e, Arith what, Value* a, Value* b) {
  switch (what) {
    case Arith::add: return e.b.CreateFAdd(a, b);
    case Arith::sub: return e.b.CreateFSub(a, b);
    case Arith::mul: break;
  }
  return e.b.CreateFMul(a, b);
}

struct Predicates {
  llvm::CmpInst::Predicate real, is_signed, is_unsigned;
  bool of_less, of_greater;  // whether the relation holds of two numbers that differ so
};

Predicates predicates(Relation what) {
  using P = llvm::CmpInst;
  switch (what) {
    case Relation::lt: return {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT, true, false};
    case Relation::le: return {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE, true, false};
    case Relation::eq: return {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ, false, false};
    case Relation::ge: return {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE, false, true};
    case Relation::gt: return {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT, false, true};
    case Relation::ne: break;
  }
  return {P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE, true, true};
}

// A negative number is less than every unsigned one; the others compare as unsigned.
Value* mixed_relation(Emit& e, const Predicates& p, Elem elem_a, Value* a, Value* b) {
  const bool a_is_signed = elem_a == Elem::i64;
  Value* negative = e.mask(e.b.CreateICmpSLT(a_is_signed ? a : b, e.splat_i64(0)));
  Value* otherwise = e.mask(e.b.CreateICmp(p.is_unsigned, a, b));
  const bool when_negative = a_is_signed ? p.of_less : p.of_greater;
  return when_negative ? e.b.CreateOr(negative, otherwise)
                       : e.b.CreateAnd(e.b.CreateNot(negative), otherwise);
}

}  // namespace

Partial emit_multiply(Emit& e, Elem elem, Value* a, Value* b) {
  if (elem == Elem::f64) return {e.b.CreateFMul(a, b), e.all()};
  const bool is_signed = elem == Elem::i64;
  return with_overflow(
      e, is_signed ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::umul_with_overflow, a,
      b);
}

Partial emit_arith(Emit& e, Arith what, const KernelOp& op, Value* a, Value* b) {
  if (op.elems[0] == Elem::f64) return {emit_real(e, what, a, b), e.all()};
  if (op.elems[0] != op.elems[1]) return emit_mixed(e, what, op, a, b);
  const bool is_signed = op.elems[0] == Elem::i64;
  using namespace llvm;
  switch (what) {
    case Arith::add:
      return with_overflow(
          e, is_signed ? Intrinsic::sadd_with_overflow : Intrinsic::uadd_with_overflow, a, b);
    case Arith::sub:
      return is_signed ? with_overflow(e, Intrinsic::ssub_with_overflow, a, b)
                       : unsigned_difference(e, a, b);
    case Arith::mul: break;
  }
  return emit_multiply(e, op.elems[0], a, b);
}

Partial emit_negate(Emit& e, Elem elem, Value* a) {
  if (elem == Elem::f64) return {e.b.CreateFNeg(a), e.all()};
  Value* lowest = e.splat_i64(uint64_t{1} << 63);
  Value* fits = elem == Elem::i64 ? e.b.CreateICmpNE(a, lowest) : e.b.CreateICmpULE(a, lowest);
  return {e.b.CreateNeg(a), e.mask(fits)};
}

Partial emit_relation(Emit& e, Relation what, const KernelOp& op, Value* a, Value* b) {
  const Predicates p = predicates(what);
  if (op.elems[0] == Elem::f64) {
    return {e.mask(e.b.CreateFCmp(p.real, a, b)), e.mask(e.b.CreateFCmpORD(a, b))};
  }
  if (op.elems[0] != op.elems[1]) return {mixed_relation(e, p, op.elems[0], a, b), e.all()};
  const auto predicate = op.elems[0] == Elem::i64 ? p.is_signed : p.is_unsigned;
  return {e.mask(e.b.CreateICmp(predicate, a, b)), e.all()};
}

}  // namespace pmjit::codegen
