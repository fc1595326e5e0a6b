// Code generation as a module of its own (libpmjit-codegen.so), loaded only when the work at hand
// pays for it: libLLVM costs every process 8.5 ms and 52 MB. The driver looks up one symbol,
// pmjit_codegen_module, and checks the version; nothing of LLVM is visible here.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/kernel_shape.h"
#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/program/kernel.h"

namespace pmjit {

enum class OptLevel : uint8_t { O0, O2 };  // of code selection; IR passes never run
enum class Isa : uint8_t { native, sse42, avx2, avx512 };

struct CodegenOptions {
  OptLevel level = OptLevel::O0;
  Isa isa = Isa::native;         // an isa that the machine lacks: Fault::unsupported
  bool keep_ir = false;          // fill CompiledKernels::llvm_ir, for explain --dump=llvm
  const Clock* clock = nullptr;  // for compile_ms; none: it is 0
};

struct CompiledKernels {
  std::vector<Kernel> kernels;        // one a shape, in order
  std::shared_ptr<const void> owner;  // the code lives as long as this
  double compile_ms = 0;
  uint64_t code_bytes = 0;
  std::string llvm_ir;
};

struct CodegenModule {
  uint32_t version;
  // May be called by several threads at once.
  Result<CompiledKernels> (*compile)(std::span<const KernelShape> shapes,
                                     const CodegenOptions& options);
};
inline constexpr uint32_t kCodegenVersion = 3;  // bumped with KernelFrame, KernelShape or these

}  // namespace pmjit

extern "C" const pmjit::CodegenModule* pmjit_codegen_module();
