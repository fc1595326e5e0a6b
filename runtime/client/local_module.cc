#include "runtime/client/local_module.h"

#include "runtime/base/module_file.h"

namespace pmjit {

namespace {

constexpr ModuleFile kLocalFile{.file = "libpcp.so.3",
                                .symbol = "pmjit_local_module",
                                .variable = "PMJIT_LIBPCP",
                                .what = "library for agents inside a tool"};

}  // namespace

Result<const LocalModule*> load_local() {
  const Result<void*> entry = open_module(kLocalFile);
  if (!entry) return fail(entry.error());
  const LocalModule* const module = reinterpret_cast<decltype(&pmjit_local_module)>(*entry)();
  if (module->version == kLocalVersion) return module;
  return fail(other_version(kLocalFile, module->version, kLocalVersion));
}

}  // namespace pmjit
