// Kernels lane by lane: one loop over groups of eight lanes, all operators in its body, values in
// registers.
#include "compiler/codegen/frame.h"
#include "compiler/codegen/kernels.h"
#include "compiler/codegen/operators.h"

namespace pmjit::codegen {

namespace {

using llvm::Value;

// An operand's column. Where it has no bitmap, `valid` is a byte of ones that every group reads
// again.
struct OperandColumn {
  Elem elem;
  Value *values, *valid, *valid_step;
};

class LanesKernel {
 public:
  LanesKernel(Emit& e, llvm::Function& kernel, const KernelShape& shape)
      : e_(e), kernel_(kernel), shape_(shape), frame_(load_frame(e, kernel)) {}

  void emit() {
    llvm::BasicBlock* setup = block("setup");
    llvm::BasicBlock* exit = block("exit");
    ones_ = e_.b.CreateAlloca(e_.b.getInt8Ty());
    e_.b.CreateStore(e_.all(), ones_);
    Value* count = e_.b.CreateMul(frame_.rows, frame_.lanes);
    e_.b.CreateCondBr(e_.b.CreateICmpEQ(count, e_.i64(0)), exit, setup);

    // Repeating a constant is nothing that fast code selection can do: what it cannot do in a block
    // it leaves to the slow one, with all that stands before.
    llvm::BasicBlock* prepare = block("prepare");
    e_.b.SetInsertPoint(setup);
    for (const Elem elem : shape_.constants) constants_.push_back(constant(elem));
    e_.b.CreateBr(prepare);

    e_.b.SetInsertPoint(prepare);
    const LastGroup last = prepare_results(e_, frame_, count);
    for (const Elem elem : shape_.inputs) columns_.push_back(column(elem));
    loop(last, exit);
    e_.b.SetInsertPoint(exit);
    e_.b.CreateRetVoid();
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(e_.b.getContext(), name, &kernel_);
  }

  OperandColumn column(Elem elem) {
    const size_t k = columns_.size();
    Value* valid = load_pointer(e_, frame_.valid, k);
    Value* absent = e_.b.CreateIsNull(valid);
    return {elem, load_pointer(e_, frame_.in, k), e_.b.CreateSelect(absent, ones_, valid),
            e_.b.CreateSelect(absent, e_.i64(0), e_.i64(1))};
  }

  Lanes8 constant(Elem elem) {
    Value* word = load_word(e_, frame_.args, constants_.size());
    if (elem == Elem::truth) {
      Value* bit = e_.b.CreateTrunc(word, e_.b.getInt1Ty());
      return {e_.b.CreateSExt(bit, e_.b.getInt8Ty()), e_.all()};
    }
    Value* number = e_.b.CreateBitCast(word, e_.scalar(elem));
    return {e_.b.CreateVectorSplat(kLanes, number), e_.all()};
  }

  void loop(const LastGroup& last, llvm::BasicBlock* exit) {
    llvm::BasicBlock* before = e_.b.GetInsertBlock();
    llvm::BasicBlock* body = block("group");
    e_.b.CreateBr(body);
    e_.b.SetInsertPoint(body);
    llvm::PHINode* group = e_.b.CreatePHI(e_.b.getInt64Ty(), 2);
    const Lanes8 result = operators(group);
    store_results(e_, frame_, shape_.result(), group, result, last);
    Value* next = e_.b.CreateAdd(group, e_.i64(1));
    group->addIncoming(e_.i64(0), before);
    group->addIncoming(next, body);
    e_.b.CreateCondBr(e_.b.CreateICmpULE(next, last.index), body, exit);
  }

  Lanes8 load(const OperandColumn& column, Value* group) {
    llvm::Type* type = e_.vector(column.elem);
    Value* at = address(e_, type, column.values, group);
    Value* values = e_.b.CreateAlignedLoad(type, at, llvm::Align(1));
    Value* byte = e_.b.CreateMul(group, column.valid_step);
    Value* valid =
        e_.b.CreateLoad(e_.b.getInt8Ty(), address(e_, e_.b.getInt8Ty(), column.valid, byte));
    return {e_.from_memory(column.elem, values), valid};
  }

  Lanes8 operators(Value* group) {
    std::vector<Lanes8> inputs, results;
    for (const OperandColumn& column : columns_) inputs.push_back(load(column, group));
    for (const KernelOp& op : shape_.ops) {
      std::array<Lanes8, kOperandsMax> in;
      for (size_t k = 0; k < op.operands; ++k) {
        const Place place = op.places[k];
        switch (place.kind) {
          case Place::Kind::earlier: in[k] = results[place.index]; break;
          case Place::Kind::constant: in[k] = constants_[place.index]; break;
          case Place::Kind::input: in[k] = inputs[place.index]; break;
        }
      }
      results.push_back(emit_operator(e_, op, std::span(in).first(op.operands)));
    }
    return results.back();
  }

  Emit& e_;
  llvm::Function& kernel_;
  const KernelShape& shape_;
  FrameFields frame_;
  std::vector<OperandColumn> columns_;
  std::vector<Lanes8> constants_;
  Value* ones_ = nullptr;
};

}  // namespace

void emit_lanes_kernel(Emit& e, llvm::Function& kernel, const KernelShape& shape) {
  LanesKernel(e, kernel, shape).emit();
}

void emit_kernel(llvm::Module& module, const std::string& name, const KernelShape& shape) {
  llvm::Function* kernel = begin_kernel(module, name);
  llvm::IRBuilder<> builder(&kernel->getEntryBlock());
  Emit e(builder);
  (shape.reduces() ? emit_reduce_kernel : emit_lanes_kernel)(e, *kernel, shape);
}

}  // namespace pmjit::codegen
