#include <fmt/core.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/ObjectTransformLayer.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/helpers.h"
#include "compiler/codegen/kernels.h"
#include "runtime/base/result.h"

namespace pmjit::codegen {

namespace {

// Jit: machine code of some modules. ORC with JITLink; no IR passes, code selection at the level
// asked for. Everything of LLVM is released with it, code included.
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

using namespace llvm::orc;

// Errors of LLVM end here: each is consumed by the text made of it.
std::unexpected<Error> failed(std::string_view what, llvm::Error error) {
  return fail(Fault::unsupported, fmt::format("{}: {}", what, llvm::toString(std::move(error))));
}

struct IsaRow {
  Isa isa;
  const char* cpu;
  std::initializer_list<const char*> needs;  // features that the machine must have
};
constexpr std::initializer_list<const char*> kNeedsSse = {"sse4.2", "popcnt"};
constexpr std::initializer_list<const char*> kNeedsAvx2 = {"avx2", "bmi",   "bmi2", "f16c",
                                                           "fma",  "lzcnt", "movbe"};
constexpr std::initializer_list<const char*> kNeedsAvx512 = {"avx512f", "avx512bw", "avx512cd",
                                                             "avx512dq", "avx512vl"};
constexpr IsaRow kIsas[] = {
    {Isa::sse42, "x86-64-v2", kNeedsSse},
    {Isa::avx2, "x86-64-v3", kNeedsAvx2},
    {Isa::avx512, "x86-64-v4", kNeedsAvx512},
};

Result<JITTargetMachineBuilder> target_of(Isa isa) {
  if (isa == Isa::native) {
    auto host = JITTargetMachineBuilder::detectHost();
    if (!host) return failed("this machine", host.takeError());
    return std::move(*host);
  }
  const auto features = llvm::sys::getHostCPUFeatures();
  for (const IsaRow& row : kIsas) {
    if (row.isa != isa) continue;
    for (const char* feature : row.needs) {
      if (!features.lookup(feature)) {
        return fail(Fault::unsupported, fmt::format("this machine has no {}", feature));
      }
    }
    JITTargetMachineBuilder target{llvm::Triple(llvm::sys::getProcessTriple())};
    target.setCPU(row.cpu);
    return target;
  }
  return fail(Fault::usage, "no such instruction set");
}

Result<JITTargetMachineBuilder> target_for(const CodegenOptions& options) {
  auto target = target_of(options.isa);
  if (!target) return target;
  const bool fast = options.level == OptLevel::O0;
  target->setCodeGenOptLevel(fast ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default);
  // One rounding an operation, as the interpreter has it: never a fused multiply-add.
  target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return target;
}

llvm::Expected<std::unique_ptr<ObjectLayer>> linking_layer(ExecutionSession& session,
                                                           const llvm::Triple&) {
  return std::make_unique<ObjectLinkingLayer>(session);
}

llvm::Error add_helpers(LLJIT& jit) {
  SymbolMap symbols;
  for (const Helper& helper : helpers()) {
    const auto flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
    symbols[jit.mangleAndIntern(helper.name)] = {ExecutorAddr::fromPtr(helper.address), flags};
  }
  return jit.getMainJITDylib().define(absoluteSymbols(std::move(symbols)));
}

uint64_t text_bytes(const llvm::MemoryBuffer& bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(bytes);
  if (!object) return llvm::consumeError(object.takeError()), 0;
  uint64_t out = 0;
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    if (section.isText()) out += section.getSize();
  }
  return out;
}

// The entry of libpmjit-codegen.so: shapes in, kernels out. Order of reading: jit.cc,
// emit_lanes.cc, emit_reduce.cc, operators.cc, jit.cc.

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

Result<std::unique_ptr<Jit>> Jit::make(const CodegenOptions& options) {
  static std::once_flag once;  // LLVM's registry of targets is process-wide
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto target = target_for(options);
  if (!target) return std::unexpected(target.error());
  auto jit = LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*target))
                 .setObjectLinkingLayerCreator(linking_layer)
                 .setPlatformSetUp(setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit) return failed("just-in-time compiler", jit.takeError());
  if (auto error = add_helpers(**jit)) return failed("helpers", std::move(error));
  return std::unique_ptr<Jit>(new Jit(std::move(*jit)));
}

Jit::Jit(std::unique_ptr<LLJIT> jit) : jit_(std::move(jit)) {
  jit_->getObjTransformLayer().setTransform([this](std::unique_ptr<llvm::MemoryBuffer> object) {
    code_bytes_ += text_bytes(*object);
    return llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>(std::move(object));
  });
}

Result<void> Jit::add(ThreadSafeModule module) {
  if (auto error = jit_->addIRModule(std::move(module))) return failed("module", std::move(error));
  return {};
}

Result<void*> Jit::address_of(const std::string& symbol) {
  auto address = jit_->lookup(symbol);
  if (!address) return failed(symbol, address.takeError());
  return address->toPtr<void*>();
}

}  // namespace pmjit::codegen
extern "C" __attribute__((visibility("default"))) const pmjit::CodegenModule*
pmjit_codegen_module() {
  return &pmjit::codegen::kModule;
}
