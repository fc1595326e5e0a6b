// --rate: of every result that is a counter its rate, by writing rate() around the expression.
#pragma once

#include <vector>

#include "compiler/diag/source.h"
#include "runtime/program/program.h"

namespace pmjit {

// An expression a root of the program, in its order; empty: none of them is a counter.
std::vector<SourceText> expressions_of_rates(const Program& program);

}  // namespace pmjit
