#include "compiler/codegen/operators.h"

#include <tuple>

#include "compiler/codegen/reducers.h"
#include "runtime/base/result.h"

namespace pmjit::codegen {

namespace {

using In = std::span<const Lanes8>;
using llvm::Value;

// A lane is there if every operand's is and the operation has a result.
Lanes8 strict(Emit& e, const Partial& result, In in) {
  Value* valid = result.has;
  for (const Lanes8& operand : in) valid = e.both(valid, operand.valid);
  return {result.value, valid};
}

Lanes8 arith(Emit& e, Arith what, const KernelOp& op, In in) {
  return strict(e, emit_arith(e, what, op, in[0].value, in[1].value), in);
}

Lanes8 relation(Emit& e, Relation what, const KernelOp& op, In in) {
  return strict(e, emit_relation(e, what, op, in[0].value, in[1].value), in);
}

// False settles a conjunction, whatever else is unknown.
Lanes8 conjunction(Emit& e, In in) {
  const auto known_false = [&](const Lanes8& x) {
    return e.b.CreateAnd(x.valid, e.b.CreateNot(x.value));
  };
  Value* is_false = e.b.CreateOr(known_false(in[0]), known_false(in[1]));
  Value* both_known = e.both(in[0].valid, in[1].valid);
  return {e.b.CreateNot(is_false), e.b.CreateOr(is_false, both_known)};
}

// `from` before and not now, or now and not before.
Lanes8 changed(Emit& e, const Lanes8& to, const Lanes8& from) {
  const Lanes8 both[] = {to, {e.b.CreateNot(from.value), from.valid}};
  return conjunction(e, both);
}

Lanes8 disjunction(Emit& e, In in) {
  const auto known_true = [&](const Lanes8& x) { return e.b.CreateAnd(x.valid, x.value); };
  Value* is_true = e.b.CreateOr(known_true(in[0]), known_true(in[1]));
  Value* both_known = e.both(in[0].valid, in[1].valid);
  return {is_true, e.b.CreateOr(is_true, both_known)};
}

Lanes8 pick(Emit& e, const KernelOp& op, In in) {
  const auto of_masks = [&](Value* guard, Value* yes, Value* no) {
    return e.b.CreateOr(e.b.CreateAnd(guard, yes), e.b.CreateAnd(e.b.CreateNot(guard), no));
  };
  const auto& [guard, yes, no] = std::tie(in[0], in[1], in[2]);
  Value* value = op.result == Elem::truth
                     ? of_masks(guard.value, yes.value, no.value)
                     : e.b.CreateSelect(e.bools(guard.value), yes.value, no.value);
  Value* arm = of_masks(guard.value, yes.valid, no.valid);
  return {value, e.b.CreateAnd(guard.valid, arm)};
}

Lanes8 rate(Emit& e, const KernelOp& op, In in) {
  const Partial rise = emit_rise(e, op, in[0].value, in[1].value);
  Value* seconds = in[2].value;
  Value* time_passed = e.mask(e.b.CreateFCmpUNE(seconds, e.splat_f64(0)));
  Value* has = e.both(rise.has, time_passed);
  return strict(e, {e.b.CreateFDiv(rise.value, seconds), has}, in);
}

Value* to_i64(Emit& e, Elem from, Value* value) {
  llvm::Type* to = e.vector(Elem::i64);
  return from == Elem::i32 ? e.b.CreateSExt(value, to) : e.b.CreateZExt(value, to);
}

Value* to_f64(Emit& e, Elem from, Value* value) {
  llvm::Type* to = e.vector(Elem::f64);
  if (from == Elem::f32) return e.b.CreateFPExt(value, to);
  return is_unsigned(from) ? e.b.CreateUIToFP(value, to) : e.b.CreateSIToFP(value, to);
}

Value* div_or_0(Emit& e, Value* left, Value* right) {
  Value* zero = e.splat_f64(0);
  return e.b.CreateSelect(e.b.CreateFCmpOEQ(left, zero), zero, e.b.CreateFDiv(left, right));
}

}  // namespace

Lanes8 emit_operator(Emit& e, const KernelOp& op, In in) {
  const auto total = [&](Value* value) { return strict(e, {value, e.all()}, in); };
  switch (op.op) {
    case Op::to_i64: return total(to_i64(e, op.elems[0], in[0].value));
    case Op::to_f64: return total(to_f64(e, op.elems[0], in[0].value));
    case Op::add: return arith(e, Arith::add, op, in);
    case Op::sub: return arith(e, Arith::sub, op, in);
    case Op::mul: return arith(e, Arith::mul, op, in);
    case Op::div: return total(e.b.CreateFDiv(in[0].value, in[1].value));
    case Op::div_or_0: return total(div_or_0(e, in[0].value, in[1].value));
    case Op::neg: return strict(e, emit_negate(e, op.elems[0], in[0].value), in);
    case Op::lt: return relation(e, Relation::lt, op, in);
    case Op::le: return relation(e, Relation::le, op, in);
    case Op::eq: return relation(e, Relation::eq, op, in);
    case Op::ge: return relation(e, Relation::ge, op, in);
    case Op::gt: return relation(e, Relation::gt, op, in);
    case Op::ne: return relation(e, Relation::ne, op, in);
    case Op::and_: return conjunction(e, in);
    case Op::or_: return disjunction(e, in);
    case Op::not_: return total(e.b.CreateNot(in[0].value));
    case Op::pick: return pick(e, op, in);
    case Op::delta: return strict(e, emit_delta(e, op, in[0].value, in[1].value), in);
    case Op::rate: return rate(e, op, in);
    case Op::rising: return changed(e, in[0], in[1]);
    case Op::falling: return changed(e, in[1], in[0]);
    case Op::earlier: return in[1];
    case Op::instant: return in[0];
    case Op::scale_up: {
      Value* factor = e.splat_bits(op.result, op.payload);
      return strict(e, emit_multiply(e, op.result, in[0].value, factor), in);
    }
    case Op::scale_down:
      return total(e.b.CreateFDiv(in[0].value, e.splat_bits(Elem::f64, op.payload)));
    default: break;
  }
  check(false, "not a lane by lane operator of kernels");
  return {};
}

Reducer reducer(Emit& e, const KernelOp& op) {
  switch (op.op) {
    case Op::count: return count_reducer(e, op.elems[0]);
    case Op::sum: return sum_reducer(e, op.elems[0]);
    case Op::avg: return avg_reducer(e, op.elems[0]);
    case Op::min: return extreme_reducer(e, op.elems[0], false);
    case Op::max: return extreme_reducer(e, op.elems[0], true);
    default: break;
  }
  check(false, "not a reducing operator of kernels");
  return {};
}

Value* needed_lanes(Emit& e, const KernelOp& op, Value* lanes) {
  switch (op.op) {
    case Op::some: return e.i64(1);
    case Op::all: return lanes;
    case Op::at_least: {
      Value* hundredths = e.b.CreateMul(lanes, e.i64(op.payload));
      return e.b.CreateUDiv(e.b.CreateAdd(hundredths, e.i64(99)), e.i64(100));
    }
    default: return nullptr;
  }
}

}  // namespace pmjit::codegen
