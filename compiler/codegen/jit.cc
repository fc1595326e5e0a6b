#include "compiler/codegen/jit.h"

#include <fmt/core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/ObjectTransformLayer.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <mutex>

#include "compiler/codegen/helpers.h"

namespace pmjit::codegen {

namespace {

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
