// Reducing kernels: eight rows side by side, so that a sum runs at the speed of vectors and yet in
// the order of each row's lanes. Rows are turned by eight lanes, for lane by lane every value would
// be a load of its own. The last group repeats the last row where rows are missing.
#include "compiler/codegen/frame.h"
#include "compiler/codegen/helpers.h"
#include "compiler/codegen/kernels.h"
#include "compiler/codegen/lanes8.h"
#include "compiler/codegen/operators.h"
#include "compiler/codegen/reducers.h"

namespace pmjit::codegen {

namespace {

using llvm::Value;

class ReduceKernel {
 public:
  ReduceKernel(Emit& e, llvm::Function& kernel, const KernelOp& op)
      : e_(e), kernel_(kernel), op_(op), frame_(load_frame(e, kernel)) {
    need_ = needed_lanes(e, op, frame_.lanes);
    if (need_ == nullptr) reducer_ = reducer(e, op);
  }

  void emit() {
    llvm::BasicBlock* setup = block("setup");
    llvm::BasicBlock* group_block = block("group");
    llvm::BasicBlock* reduce = block("reduce");
    llvm::BasicBlock* store = block("store");
    llvm::BasicBlock* exit = block("exit");
    e_.b.CreateCondBr(e_.b.CreateICmpEQ(frame_.rows, e_.i64(0)), exit, setup);

    e_.b.SetInsertPoint(setup);
    values_ = load_pointer(e_, frame_.in, 0);
    valid_ = load_pointer(e_, frame_.valid, 0);
    const LastGroup last = prepare_results(e_, frame_, frame_.rows);
    e_.b.CreateBr(group_block);

    e_.b.SetInsertPoint(group_block);
    llvm::PHINode* group = e_.b.CreatePHI(e_.b.getInt64Ty(), 2);
    Value* first_row = e_.b.CreateShl(group, e_.i64(3));
    const Lanes8 of_nothing = nothing();
    e_.b.CreateCondBr(e_.b.CreateICmpEQ(frame_.lanes, e_.i64(0)), store, reduce);

    e_.b.SetInsertPoint(reduce);
    const Lanes8 reduced = rows(first_row);
    llvm::BasicBlock* reduced_end = e_.b.GetInsertBlock();
    e_.b.CreateBr(store);

    e_.b.SetInsertPoint(store);
    const Lanes8 result{either(of_nothing.value, group_block, reduced.value, reduced_end),
                        either(of_nothing.valid, group_block, reduced.valid, reduced_end)};
    store_results(e_, frame_, op_.result, group, result, last);
    Value* next = e_.b.CreateAdd(group, e_.i64(1));
    group->addIncoming(e_.i64(0), setup);
    group->addIncoming(next, store);
    e_.b.CreateCondBr(e_.b.CreateICmpULE(next, last.index), group_block, exit);
    e_.b.SetInsertPoint(exit);
    e_.b.CreateRetVoid();
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(e_.b.getContext(), name, &kernel_);
  }

  Value* either(Value* a, llvm::BasicBlock* from_a, Value* b, llvm::BasicBlock* from_b) {
    llvm::PHINode* phi = e_.b.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, from_a);
    phi->addIncoming(b, from_b);
    return phi;
  }

  Lanes8 nothing() {
    if (need_ != nullptr) return {e_.none(), e_.none()};
    Value* zero = llvm::Constant::getNullValue(e_.vector(op_.result));
    return {zero, reducer_.of_nothing_is_zero ? e_.all() : e_.none()};
  }

  // The value at lane `lane` of each of the eight rows.
  Value* elements(const std::array<Value*, kLanes>& starts, Value* lane) {
    llvm::Type* scalar = e_.scalar(op_.elems[0]);
    Value* out = llvm::PoisonValue::get(e_.vector(op_.elems[0]));
    for (unsigned k = 0; k < kLanes; ++k) {
      Value* at = address(e_, scalar, starts[k], lane);
      out = e_.b.CreateInsertElement(out, e_.b.CreateAlignedLoad(scalar, at, llvm::Align(1)), k);
    }
    return out;
  }

  std::array<Value*, kLanes> row_starts(Value* first_row) {
    std::array<Value*, kLanes> starts;
    Value* last_row = e_.b.CreateSub(frame_.rows, e_.i64(1));
    for (unsigned k = 0; k < kLanes; ++k) {
      Value* row = e_.b.CreateAdd(first_row, e_.i64(k));
      row = e_.b.CreateSelect(e_.b.CreateICmpULT(row, last_row), row, last_row);
      Value* index = e_.b.CreateMul(row, frame_.lanes);
      starts[k] = address(e_, e_.scalar(op_.elems[0]), values_, index);
    }
    return starts;
  }

  // Three-valued logic looks at what is known of each lane, which is a helper's work.
  Lanes8 judged(Value* first_row) {
    llvm::Type *word = e_.b.getInt64Ty(), *pointer = e_.b.getPtrTy(), *byte = e_.b.getInt8Ty();
    auto* type = llvm::FunctionType::get(word, {pointer, pointer, word, word, word, word}, false);
    auto helper = kernel_.getParent()->getOrInsertFunction(kRowsJudged, type);
    Value* both =
        e_.b.CreateCall(helper, {values_, valid_, first_row, frame_.rows, frame_.lanes, need_});
    return {e_.b.CreateTrunc(both, byte), e_.b.CreateTrunc(e_.b.CreateLShr(both, e_.i64(8)), byte)};
  }

  Lanes8 rows(Value* first_row) {
    if (need_ != nullptr) return judged(first_row);
    llvm::Type* word = e_.b.getInt64Ty();
    auto* type = llvm::FunctionType::get(word, {e_.b.getPtrTy(), word, word, word}, false);
    auto helper = kernel_.getParent()->getOrInsertFunction(kRowsValid, type);
    Value* there = e_.b.CreateCall(helper, {valid_, first_row, frame_.rows, frame_.lanes});
    ReducerState state;
    if (reducer_.step) state = lanes_of_rows(first_row);
    const Partial result = reducer_.finish(state, frame_.lanes);
    Value* valid = e_.b.CreateAnd(result.has, e_.b.CreateTrunc(there, e_.b.getInt8Ty()));
    return {result.value, valid};
  }

  ReducerState lanes_of_rows(Value* first_row) {
    const auto starts = row_starts(first_row);
    Loop at{.lane = e_.i64(1), .state = reducer_.begin(elements(starts, e_.i64(0)))};
    at = loop(at, kLanes, [&](ReducerState state, Value* lane) {
      for (Value* next : transposed(e_, squares(starts, lane))) state = reducer_.step(state, next);
      return state;
    });
    at = loop(at, 1, [&](const ReducerState& state, Value* lane) {
      return reducer_.step(state, elements(starts, lane));
    });
    return at.state;
  }

  // Eight lanes of each of the rows, from `lane` on.
  Square squares(const std::array<Value*, kLanes>& starts, Value* lane) {
    llvm::Type* type = e_.vector(op_.elems[0]);
    Square out{};
    for (unsigned k = 0; k < kLanes; ++k) {
      Value* at = address(e_, e_.scalar(op_.elems[0]), starts[k], lane);
      out[k] = e_.b.CreateAlignedLoad(type, at, llvm::Align(1));
    }
    return out;
  }

  // Steps over `stride` lanes each, as long as there are so many.
  struct Loop {
    Value* lane;
    ReducerState state;
  };
  template <class Step>
  Loop loop(const Loop& from, uint64_t stride, Step step) {
    llvm::BasicBlock* before = e_.b.GetInsertBlock();
    llvm::BasicBlock* head = block("lane");
    llvm::BasicBlock* body = block("step");
    llvm::BasicBlock* done = block("done");
    e_.b.CreateBr(head);

    e_.b.SetInsertPoint(head);
    llvm::PHINode* lane = e_.b.CreatePHI(e_.b.getInt64Ty(), 2);
    lane->addIncoming(from.lane, before);
    ReducerState state;
    for (Value* part : from.state) {
      llvm::PHINode* phi = e_.b.CreatePHI(part->getType(), 2);
      phi->addIncoming(part, before);
      state.push_back(phi);
    }
    Value* behind = e_.b.CreateAdd(lane, e_.i64(stride));
    e_.b.CreateCondBr(e_.b.CreateICmpULE(behind, frame_.lanes), body, done);

    e_.b.SetInsertPoint(body);
    const ReducerState next = step(state, lane);
    for (size_t i = 0; i < state.size(); ++i) {
      llvm::cast<llvm::PHINode>(state[i])->addIncoming(next[i], body);
    }
    lane->addIncoming(behind, body);
    e_.b.CreateBr(head);
    e_.b.SetInsertPoint(done);
    return {lane, state};
  }

  Emit& e_;
  llvm::Function& kernel_;
  const KernelOp& op_;
  Reducer reducer_;
  FrameFields frame_;
  Value* need_ = nullptr;  // of an operator that judges; else there is a reducer
  Value *values_ = nullptr, *valid_ = nullptr;
};

}  // namespace

void emit_reduce_kernel(Emit& e, llvm::Function& kernel, const KernelShape& shape) {
  ReduceKernel(e, kernel, shape.ops[0]).emit();
}

}  // namespace pmjit::codegen
