// The `expr` section of a case as what the driver takes: lines `name = expression` are a definition file, every
// other line is a root. Without such a line every definition is a root.
#pragma once

#include "compiler/driver/driver.h"
#include "tests/lib/case_file.h"

namespace pmjit::cases {

CompileInput read_expressions(const CaseFile& file);

}  // namespace pmjit::cases
