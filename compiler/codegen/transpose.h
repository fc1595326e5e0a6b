// Eight rows of eight lanes each, turned: out[k] has lane k of each of the rows.
#pragma once

#include <array>

#include "compiler/codegen/lanes8.h"

namespace pmjit::codegen {

using Square = std::array<llvm::Value*, kLanes>;  // vectors of one type
Square transposed(Emit& e, const Square& rows);

}  // namespace pmjit::codegen
