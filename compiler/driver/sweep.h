// A sweep: one expression with parameters becomes one root per point, with the values in place.
// Private to compiler/driver.
//
// Each point is checked like an expression that was typed, so `x > $t` is `x > 5` in everything;
// what does not depend on the values is one again after the passes.
#pragma once

#include "compiler/driver/parsed_texts.h"

namespace pmjit {

// Of input.parameters, which are the values; what is wrong with them and the expression is told in
// reports of `out`.
void add_sweep(const CompileInput& input, ParsedTexts& out);

// Up to the first point with an error: the others have the same one.
void check_points(const ParsedTexts& texts, Sema& sema);

}  // namespace pmjit
