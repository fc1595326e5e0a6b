// What libpcp says of a definition that it refuses, for people: signs in place of the names of its
// tokens, what is open, what was meant.
//
//   Diag& diag = diags.add(DiagCode::P_Syntax, place, error.message);
//   explain_refused(expression, [&](Span within) { return in_file(within); }, diag);
#pragma once

#include <functional>
#include <string>

#include "compiler/diag/diag.h"

namespace pmjit {

// `place`: where a span of the expression is in the file.
void explain_refused(const std::string& expression, const std::function<Span(Span)>& place,
                     Diag& diag);

}  // namespace pmjit
