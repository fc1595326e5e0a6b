#include "runtime/base/module_file.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace pmjit {

namespace {

namespace fs = std::filesystem;

// The program or library that this code is in, as the kernel knows it: what the linker was told may
// be relative to a folder of the past. Empty: there is no /proc.
fs::path own_file() {
  const auto here = reinterpret_cast<uintptr_t>(&own_file);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const char* const end = line.data() + line.size();
    uintptr_t from = 0, to = 0;
    const auto dash = std::from_chars(line.data(), end, from, 16);
    if (dash.ec != std::errc() || dash.ptr == end) continue;
    if (std::from_chars(dash.ptr + 1, end, to, 16).ec != std::errc()) continue;
    if (here < from || here >= to) continue;
    const size_t slash = line.find('/');
    if (slash == std::string::npos) return {};
    constexpr std::string_view kReplaced = " (deleted)";  // by a newer one
    std::string path = line.substr(slash);
    if (path.ends_with(kReplaced)) path.resize(path.size() - kReplaced.size());
    return path;
  }
  return {};
}

std::vector<fs::path> module_places(const ModuleFile& module) {
  const char* const chosen = ::secure_getenv(module.variable);
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  const fs::path own = own_file();
  if (own.empty()) return {};
  std::error_code no_proc;
  std::string program = fs::read_symlink("/proc/self/exe", no_proc).string();
  const fs::path folder = own.parent_path();
  if (program.starts_with(own.string())) {  // " (deleted)" may follow
    return {folder / ".." / "lib" / "pmjit" / module.file, folder / ".." / "lib" / module.file};
  }
  return {folder / "pmjit" / module.file, folder / module.file};
}

Result<void*> open_at(const fs::path& path, const ModuleFile& module) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return fail(Fault::unsupported, why != nullptr ? why : "it cannot be opened");
  }
  void* const symbol = dlsym(library, module.symbol);
  if (symbol == nullptr) {
    return fail(
        Error(Fault::unsupported, fmt::format("{}: no symbol {}", path.string(), module.symbol))
            .help("install the program and this file from one build"));
  }
  return symbol;
}

}  // namespace

Result<std::string> find_module(const ModuleFile& module) {
  std::string tried;
  for (const fs::path& path : module_places(module)) {
    std::error_code unreadable;
    if (fs::exists(path, unreadable)) return path.string();
    tried += (tried.empty() ? "" : ", ") + path.lexically_normal().string();
  }
  return fail(Error(Fault::not_found, fmt::format("{} not found: {}", module.what, tried))
                  .help(fmt::format("set {} to its path", module.variable)));
}

Result<void*> open_module(const ModuleFile& module) {
  const auto path = find_module(module);
  if (!path) return fail(path.error());
  return open_at(*path, module);
}

Error other_version(const ModuleFile& module, uint32_t its, uint32_t ours) {
  return Error(Fault::unsupported, fmt::format("{}: version {}, not {}", module.file, its, ours))
      .help("install the program and this file from one build");
}

}  // namespace pmjit
