// A bound tree as a step of a program: what `eval` runs where PCP's tools would fetch. Source: spec
// dialects.md §13.5.
#pragma once

#include <memory>

#include "compiler/compat/definitions/tree.h"
#include "runtime/program/program.h"

namespace pmjit::pcp {

[[nodiscard]] std::shared_ptr<const SetExpression> set_expression(
    std::shared_ptr<const PcpTree> tree);
// Back; null: it was not made here.
[[nodiscard]] const PcpTree* tree_of(const SetExpression& expression);

}  // namespace pmjit::pcp
