// Reads the text form of print.h. Operands stand before their use by construction of the form;
// everything else is verify()'s to say.
//
//   auto ir = read_ir(text);        // or an Error at "line 3, column 12"
#pragma once

#include <string_view>

#include "compiler/ir/ir.h"
#include "runtime/base/result.h"

namespace pmjit {

Result<Ir> read_ir(std::string_view text);

}  // namespace pmjit
