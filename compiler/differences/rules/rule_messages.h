// pmie's messages as diagnostics: what is wrong in a line, and a way out. Source: spec
// rules-language.md §24. Private to this folder.
#pragma once

#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit::pmie {

// `text`: as Messages get it, without location.
void add_message(Severity severity, Span where, std::string_view text, Diags& diags);

}  // namespace pmjit::pmie
