#include "compiler/codegen/frame.h"

#include <cstddef>

#include "runtime/program/kernel.h"

namespace pmjit::codegen {

namespace {

using llvm::Value;

constexpr size_t kFieldBytes = 8;
static_assert(offsetof(KernelFrame, in) == 0 * kFieldBytes);
static_assert(offsetof(KernelFrame, valid) == 1 * kFieldBytes);
static_assert(offsetof(KernelFrame, args) == 2 * kFieldBytes);
static_assert(offsetof(KernelFrame, rows) == 3 * kFieldBytes);
static_assert(offsetof(KernelFrame, lanes) == 4 * kFieldBytes);
static_assert(offsetof(KernelFrame, out) == 5 * kFieldBytes);
static_assert(offsetof(KernelFrame, out_valid) == 6 * kFieldBytes);

}  // namespace

llvm::Function* begin_kernel(llvm::Module& module, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  // A caller built with clang's -fsanitize=function looks at the 8 bytes before a function: they
  // must exist, also before the first one of a page.
  kernel->setPrefixData(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), 0));
  llvm::BasicBlock::Create(context, "entry", kernel);
  return kernel;
}

Value* load_pointer(Emit& e, Value* array, uint64_t index) {
  return e.b.CreateLoad(e.b.getPtrTy(), e.b.CreateConstGEP1_64(e.b.getPtrTy(), array, index));
}

Value* load_word(Emit& e, Value* array, uint64_t index) {
  return e.b.CreateLoad(e.b.getInt64Ty(), e.b.CreateConstGEP1_64(e.b.getInt64Ty(), array, index));
}

Value* address(Emit& e, llvm::Type* type, Value* column, Value* index) {
  return e.b.CreateGEP(type, column, index);
}

FrameFields load_frame(Emit& e, llvm::Function& kernel) {
  Value* frame = kernel.getArg(1);
  return {load_pointer(e, frame, 0), load_pointer(e, frame, 1), load_pointer(e, frame, 2),
          load_word(e, frame, 3),    load_word(e, frame, 4),    load_pointer(e, frame, 5),
          load_pointer(e, frame, 6)};
}

LastGroup prepare_results(Emit& e, const FrameFields& frame, Value* count) {
  Value* last = e.b.CreateSub(count, e.i64(1));
  Value* word = address(e, e.b.getInt64Ty(), frame.out_valid, e.b.CreateLShr(last, e.i64(6)));
  e.b.CreateStore(e.i64(0), word);
  Value* spare = e.b.CreateSub(e.i64(7), e.b.CreateAnd(last, e.i64(7)));
  Value* mask = e.b.CreateLShr(e.all(), e.b.CreateTrunc(spare, e.b.getInt8Ty()));
  return {e.b.CreateLShr(last, e.i64(3)), mask};
}

void store_results(Emit& e, const FrameFields& frame, Elem elem, Value* group,
                   const Lanes8& results, const LastGroup& last) {
  Value* value = e.to_memory(elem, results.value);
  Value* at = address(e, e.vector(elem), frame.out, group);
  e.b.CreateAlignedStore(value, at, llvm::Align(1));
  Value* is_last = e.b.CreateICmpEQ(group, last.index);
  Value* valid = e.b.CreateAnd(results.valid, e.b.CreateSelect(is_last, last.mask, e.all()));
  e.b.CreateStore(valid, address(e, e.b.getInt8Ty(), frame.out_valid, group));
}

}  // namespace pmjit::codegen
