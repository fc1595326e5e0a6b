// load_codegen(): finds and opens libpmjit-codegen.so, once a process. Where it is missing,
// everything still works in the interpreter, and the error says where it was looked for.
#pragma once

#include "compiler/codegen/codegen.h"

namespace pmjit {

Result<const CodegenModule*> load_codegen();

}  // namespace pmjit
