// open_module(): a part of ours that is a file of its own, because what it needs costs every start
// of a program. It is opened when it is wanted first.
//
//   const Result<void*> entry = open_module({.file = "libpmjit-codegen.so",
//                                            .symbol = "pmjit_codegen_module",
//                                            .variable = "PMJIT_CODEGEN",
//                                            .what = "codegen module"});
//
// The variable of the environment names the file, except under setuid. Without it the file is where
// this code is installed or built: from a program in ../lib/pmjit and ../lib, from a library of
// ours in pmjit beside it, and beside it. It is never closed.
#pragma once

#include "runtime/base/result.h"

namespace pmjit {

struct ModuleFile {
  const char* file;
  const char* symbol;  // of the function that it exports
  const char* variable;
  const char* what;
};

// The path of the file, which may be a program (`symbol` is not used).
[[nodiscard]] Result<std::string> find_module(const ModuleFile& module);
// The function. An error says where the file was looked for, or what it needs that is missing.
[[nodiscard]] Result<void*> open_module(const ModuleFile& module);
// Of a module and a program that were not built together.
[[nodiscard]] Error other_version(const ModuleFile& module, uint32_t its, uint32_t ours);

}  // namespace pmjit
