// Operators of constants alone: their value, while the text is read. Source: spec rules-language.md
// §4.
#pragma once

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

// A constant. `right`: null for operators of one operand.
[[nodiscard]] PmieNode folded_node(PmieOp op, const PmieNode& left, const PmieNode* right);

}  // namespace pmjit::pmie
