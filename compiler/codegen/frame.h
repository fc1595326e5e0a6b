// FrameFields: the fields of a KernelFrame, read once at the entry of a kernel.
#pragma once

#include <llvm/IR/Module.h>

#include "compiler/codegen/lanes8.h"

namespace pmjit::codegen {

struct FrameFields {
  llvm::Value *in, *valid, *args, *rows, *lanes, *out, *out_valid;
};

// An empty kernel fn(self, frame) and its fields; the builder stands in its entry block.
llvm::Function* begin_kernel(llvm::Module& module, const std::string& name);
FrameFields load_frame(Emit& e, llvm::Function& kernel);

// Element `index` of an array of pointers or 64-bit words, and the address of a value in a column.
llvm::Value* load_pointer(Emit& e, llvm::Value* array, uint64_t index);
llvm::Value* load_word(Emit& e, llvm::Value* array, uint64_t index);
llvm::Value* address(Emit& e, llvm::Type* type, llvm::Value* column, llvm::Value* index);

// Clears the last word of the result's validity, so that its tail bits are zero, and gives the
// index of the last group of 8 results and its mask. `count` is not 0.
struct LastGroup {
  llvm::Value *index, *mask;
};
LastGroup prepare_results(Emit& e, const FrameFields& frame, llvm::Value* count);
// Stores 8 results and their validity; the last group without the lanes beyond the count.
void store_results(Emit& e, const FrameFields& frame, Elem elem, llvm::Value* group,
                   const Lanes8& results, const LastGroup& last);

}  // namespace pmjit::codegen
