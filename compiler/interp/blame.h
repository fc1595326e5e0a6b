// Which operand of an element-wise kernel, or which of its operators, is to blame for a lane
// without a value: the first unknown operand, in the order of the text (spec dialects.md §4.2).
#pragma once

#include <memory>

#include "compiler/ir/kernel_spec.h"
#include "runtime/program/blame.h"

namespace pmjit {

// `ir` need not outlive the result.
std::shared_ptr<const Blame> make_blame(const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit
