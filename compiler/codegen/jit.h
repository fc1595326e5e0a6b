// Jit: machine code of some modules. ORC with JITLink; no IR passes, code selection at the level
// asked for. Everything of LLVM is released with it, code included.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <memory>
#include <string>

#include "compiler/codegen/codegen.h"

namespace pmjit::codegen {

class Jit {
 public:
  static Result<std::unique_ptr<Jit>> make(const CodegenOptions& options);
  [[nodiscard]] const llvm::DataLayout& layout() const { return jit_->getDataLayout(); }
  [[nodiscard]] Result<void> add(llvm::orc::ThreadSafeModule module);
  // Compiles whatever is not yet compiled of the module that has it.
  [[nodiscard]] Result<void*> address_of(const std::string& symbol);
  // Of what has been compiled.
  [[nodiscard]] uint64_t code_bytes() const { return code_bytes_; }

 private:
  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> jit);
  uint64_t code_bytes_ = 0;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace pmjit::codegen
