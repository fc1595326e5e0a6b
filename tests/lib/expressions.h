// The `expr` and `definitions` sections of a case as what the driver takes. Every line of `expr` is
// an expression, a root of its own; but where lines read `name = expression`, those are a
// definition file, and without other lines every definition is a root. `definitions` is a
// definition file as it stands.
//
// {1000*(} in either stands for a thousand (; in `expect diag` too.
#pragma once

#include "compiler/driver/driver.h"
#include "runtime/testing/case_file.h"

namespace pmjit::cases {

CompileInput read_expressions(const CaseFile& file);
std::string expand(const std::string& body);

}  // namespace pmjit::cases
