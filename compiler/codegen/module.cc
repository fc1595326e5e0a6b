// The entry of libpmjit-codegen.so: shapes in, kernels out. Order of reading: module.cc,
// emit_lanes.cc, emit_reduce.cc, operators.cc, jit.cc.
#include <fmt/core.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/jit.h"
#include "compiler/codegen/kernels.h"
#include "runtime/base/check.h"

namespace pmjit::codegen {

namespace {

// Large enough that the cost of a module is shared, small enough that the code generator's memory,
// which grows with a module, is not.
constexpr size_t kKernelsPerModule = 32;

std::string kernel_name(size_t index) { return fmt::format("pmjit_kernel_{}", index); }

Result<void> add_module(Jit& jit, std::span<const KernelShape> shapes, size_t first,
                        std::string* keep_ir) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>(fmt::format("kernels {}", first), *context);
  module->setDataLayout(jit.layout());
  for (size_t i = 0; i < shapes.size(); ++i) {
    emit_kernel(*module, kernel_name(first + i), shapes[i]);
  }
#ifndef NDEBUG  // a tenth of the time
  std::string complaint;
  llvm::raw_string_ostream complaints(complaint);
  check(!llvm::verifyModule(*module, &complaints), complaint);
#endif
  if (keep_ir != nullptr) {
    llvm::raw_string_ostream text(*keep_ir);
    module->print(text, nullptr);
  }
  return jit.add({std::move(module), std::move(context)});
}

Result<CompiledKernels> compile(std::span<const KernelShape> shapes,
                                const CodegenOptions& options) {
  const Instant begin = options.clock == nullptr ? Instant{} : options.clock->now();
  auto made = Jit::make(options);
  if (!made) return std::unexpected(made.error());
  const std::shared_ptr<Jit> jit = std::move(*made);
  CompiledKernels out;
  for (size_t first = 0; first < shapes.size(); first += kKernelsPerModule) {
    const auto part = shapes.subspan(first, std::min(kKernelsPerModule, shapes.size() - first));
    auto added = add_module(*jit, part, first, options.keep_ir ? &out.llvm_ir : nullptr);
    if (!added) return std::unexpected(added.error());
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    auto address = jit->address_of(kernel_name(i));
    if (!address) return std::unexpected(address.error());
    using KernelFn = void (*)(const void*, const KernelFrame*);
    out.kernels.push_back({.fn = reinterpret_cast<KernelFn>(*address), .compiled = true});
  }
  out.code_bytes = jit->code_bytes();
  out.owner = jit;
  if (options.clock != nullptr) out.compile_ms = seconds_since(begin, *options.clock) * 1e3;
  return out;
}

constexpr CodegenModule kModule = {.version = kCodegenVersion, .compile = compile};

}  // namespace

}  // namespace pmjit::codegen

extern "C" __attribute__((visibility("default"))) const pmjit::CodegenModule*
pmjit_codegen_module() {
  return &pmjit::codegen::kModule;
}
