#include "compiler/codegen/load.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

namespace pmjit {

namespace {

namespace fs = std::filesystem;

constexpr char kFileName[] = "libpmjit-codegen.so";
constexpr char kSymbol[] = "pmjit_codegen_module";

// $PMJIT_CODEGEN alone if it is set; else where it is installed, and where a build tree has it.
std::vector<fs::path> candidates() {
  const char* chosen = std::getenv("PMJIT_CODEGEN");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  std::error_code no_proc;
  const fs::path bin = fs::read_symlink("/proc/self/exe", no_proc).parent_path();
  return {bin / ".." / "lib" / "pmjit" / kFileName, bin / ".." / "lib" / kFileName};
}

Result<const CodegenModule*> open(const fs::path& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(Fault::unsupported, dlerror());
  void* symbol = dlsym(library, kSymbol);
  if (symbol == nullptr) {
    return fail(Fault::unsupported, fmt::format("{}: no symbol {}", path.string(), kSymbol));
  }
  const CodegenModule* module = reinterpret_cast<decltype(&pmjit_codegen_module)>(symbol)();
  if (module->version != kCodegenVersion) {
    return fail(Error(Fault::unsupported, fmt::format("{}: version {}, not {}", path.string(),
                                                      module->version, kCodegenVersion))
                    .help("install the program and this file from one build"));
  }
  return module;
}

Result<const CodegenModule*> find_and_open() {
  std::string tried;
  for (const fs::path& path : candidates()) {
    std::error_code unreadable;
    if (fs::exists(path, unreadable)) return open(path);
    tried += (tried.empty() ? "" : ", ") + path.lexically_normal().string();
  }
  return fail(Error(Fault::not_found, fmt::format("codegen module not found: {}", tried))
                  .help("set PMJIT_CODEGEN to its path"));
}

}  // namespace

Result<const CodegenModule*> load_codegen() {
  // Listed in tests/tidy: written once, by its initialisation; the module stays until the process
  // ends.
  static const Result<const CodegenModule*> loaded = find_and_open();
  return loaded;
}

}  // namespace pmjit
