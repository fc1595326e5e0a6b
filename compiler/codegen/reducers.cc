#include "compiler/codegen/reducers.h"

#include <llvm/IR/Module.h>

#include "compiler/codegen/helpers.h"

namespace pmjit::codegen {

namespace {

using llvm::Value;

Reducer real_sum(Emit& e) {
  return {.begin = [](Value* first) { return ReducerState{first}; },
          .step = [&e](const ReducerState& s,
                       Value* next) { return ReducerState{e.b.CreateFAdd(s[0], next)}; },
          .finish = [&e](const ReducerState& s, Value*) { return Partial{s[0], e.all()}; }};
}

// 128 bits as two vectors: {low, high}.
Reducer integer_sum(Emit& e, bool is_signed) {
  const auto high_of = [&e, is_signed](Value* low) -> Value* {
    return is_signed ? e.b.CreateAShr(low, e.splat_i64(63)) : e.splat_i64(0);
  };
  return {.begin = [high_of](Value* first) { return ReducerState{first, high_of(first)}; },
          .step =
              [&e, high_of](const ReducerState& s, Value* next) {
                Value* low = e.b.CreateAdd(s[0], next);
                Value* carry = e.b.CreateZExt(e.b.CreateICmpULT(low, next), next->getType());
                Value* high = e.b.CreateAdd(e.b.CreateAdd(s[1], high_of(next)), carry);
                return ReducerState{low, high};
              },
          .finish =
              [&e, high_of](const ReducerState& s, Value*) {
                return Partial{s[0], e.mask(e.b.CreateICmpEQ(s[1], high_of(s[0])))};
              }};
}

// {low, high} as doubles, lane by lane: one rounding, which no vector instruction does.
Value* wide_to_real(Emit& e, Value* low, Value* high) {
  llvm::Module* module = e.b.GetInsertBlock()->getModule();
  llvm::Type* f64 = e.scalar(Elem::f64);
  llvm::Type* i64 = e.scalar(Elem::i64);
  auto helper = module->getOrInsertFunction(kWideToReal, f64, i64, i64);
  Value* out = llvm::PoisonValue::get(e.vector(Elem::f64));
  for (uint64_t lane = 0; lane < kLanes; ++lane) {
    Value* parts[] = {e.b.CreateExtractElement(low, lane), e.b.CreateExtractElement(high, lane)};
    out = e.b.CreateInsertElement(out, e.b.CreateCall(helper, parts), lane);
  }
  return out;
}

Reducer integer_extreme(Emit& e, llvm::CmpInst::Predicate better) {
  return {
      .begin = [](Value* first) { return ReducerState{first}; },
      .step =
          [&e, better](const ReducerState& s, Value* next) {
            return ReducerState{e.b.CreateSelect(e.b.CreateICmp(better, next, s[0]), next, s[0])};
          },
      .finish = [&e](const ReducerState& s, Value*) { return Partial{s[0], e.all()}; }};
}

// The state remembers a NaN beside the best: an ordered comparison would lose it.
Reducer real_extreme(Emit& e, llvm::CmpInst::Predicate better) {
  return {
      .begin = [&e](Value* first) { return ReducerState{first, e.b.CreateFCmpUNO(first, first)}; },
      .step =
          [&e, better](const ReducerState& s, Value* next) {
            Value* best = e.b.CreateSelect(e.b.CreateFCmp(better, next, s[0]), next, s[0]);
            return ReducerState{best, e.b.CreateOr(s[1], e.b.CreateFCmpUNO(next, next))};
          },
      .finish =
          [&e](const ReducerState& s, Value*) {
            Value* nan = llvm::ConstantFP::getNaN(s[0]->getType());
            return Partial{e.b.CreateSelect(s[1], nan, s[0]), e.all()};
          }};
}

}  // namespace

Reducer count_reducer(Emit& e, Elem elem) {
  if (elem != Elem::truth) {
    return {.begin = [](Value*) { return ReducerState{}; },
            .step = nullptr,
            .finish =
                [&e](const ReducerState&, Value* lanes) {
                  return Partial{e.b.CreateVectorSplat(kLanes, lanes), e.all()};
                },
            .of_nothing_is_zero = true};
  }
  const auto holds = [&e](Value* bytes) {
    Value* zero = llvm::Constant::getNullValue(bytes->getType());
    return e.b.CreateZExt(e.b.CreateICmpNE(bytes, zero), e.vector(Elem::i64));
  };
  return {
      .begin = [holds](Value* first) { return ReducerState{holds(first)}; },
      .step = [&e, holds](const ReducerState& s,
                          Value* next) { return ReducerState{e.b.CreateAdd(s[0], holds(next))}; },
      .finish = [&e](const ReducerState& s, Value*) { return Partial{s[0], e.all()}; },
      .of_nothing_is_zero = true};
}

Reducer sum_reducer(Emit& e, Elem elem) {
  return elem == Elem::f64 ? real_sum(e) : integer_sum(e, elem == Elem::i64);
}

Reducer avg_reducer(Emit& e, Elem elem) {
  Reducer out = sum_reducer(e, elem);
  out.finish = [&e, elem](const ReducerState& s, Value* lanes) {
    Value* total = elem == Elem::f64 ? s[0] : wide_to_real(e, s[0], s[1]);
    Value* number = e.b.CreateUIToFP(lanes, e.scalar(Elem::f64));
    return Partial{e.b.CreateFDiv(total, e.b.CreateVectorSplat(kLanes, number)), e.all()};
  };
  return out;
}

Reducer extreme_reducer(Emit& e, Elem elem, bool greatest) {
  using P = llvm::CmpInst;
  if (elem == Elem::f64) return real_extreme(e, greatest ? P::FCMP_OGT : P::FCMP_OLT);
  if (elem == Elem::i64) return integer_extreme(e, greatest ? P::ICMP_SGT : P::ICMP_SLT);
  return integer_extreme(e, greatest ? P::ICMP_UGT : P::ICMP_ULT);
}

}  // namespace pmjit::codegen
