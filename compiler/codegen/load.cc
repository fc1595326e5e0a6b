#include "compiler/codegen/load.h"

#include "runtime/base/module_file.h"

namespace pmjit {

namespace {

constexpr ModuleFile kCodegenFile{.file = "libpmjit-codegen.so",
                                  .symbol = "pmjit_codegen_module",
                                  .variable = "PMJIT_CODEGEN",
                                  .what = "codegen module"};

Result<const CodegenModule*> open_codegen() {
  const Result<void*> entry = open_module(kCodegenFile);
  if (!entry) return fail(entry.error());
  const CodegenModule* const module = reinterpret_cast<decltype(&pmjit_codegen_module)>(*entry)();
  if (module->version == kCodegenVersion) return module;
  return fail(other_version(kCodegenFile, module->version, kCodegenVersion));
}

}  // namespace

Result<const CodegenModule*> load_codegen() {
  // Listed in tests/tidy: written once, by its initialisation; the module stays until the process
  // ends.
  static const Result<const CodegenModule*> loaded = open_codegen();
  return loaded;
}

}  // namespace pmjit
