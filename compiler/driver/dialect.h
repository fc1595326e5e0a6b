// Which dialect a definition file is in (spec dialects.md §2): its pragma, else the option, else
// pcp6.
//
//   #pmjit: dialect=strict        a comment line of its own, before the first definition
#pragma once

#include <optional>
#include <string_view>

#include "compiler/ast/dialect.h"
#include "compiler/diag/source.h"

namespace pmjit {

// A wrong, late, repeated or contradicted pragma is D01 in `diags`. `option`: what --dialect says.
Dialect dialect_of(const SourceText& file, std::optional<Dialect> option, Diags& diags);

}  // namespace pmjit
