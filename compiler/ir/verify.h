// verify(): holds an Ir to ops.def: order, arity, elements, axes, units and payloads. It runs after
// lowering and after every pass; what it finds is a bug of the stage before, or a text that a
// person wrote.
#pragma once

#include "compiler/ir/ir.h"
#include "runtime/base/result.h"

namespace pmjit {

Result<void> verify(const Ir& ir);

}  // namespace pmjit
