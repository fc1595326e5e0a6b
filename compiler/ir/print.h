// The text form of an Ir, complete: read_ir() makes an equal Ir of it but for the source spans. A
// line each, operands first:
//
//   operand disk.dev.read : 60.0.4 type 3 counter count over 60.1
//   %0 = fetch disk.dev.read : u64 counter count over 60.1
//   %1 = select "sda" %0 : u64 counter count
//   %2 = rate %1 wrap : f64 instant count / sec
//   %3 = scale_up %2 by 60 : f64 instant count / min
//   root %3
//
// A metric as PCP's dialects see it between observations is `pcp:disk.dev.read`.
// A type is element, semantics, units as pmUnitsStr prints them, and the axes it has: `over` an
// instance domain, `hosts` N, `window` N. Units, metric and domain ids that have no exact text
// stand as # and hex digits; metric names of unusual characters are quoted as instance names are.
#pragma once

#include <string>

#include "compiler/ir/ir.h"

namespace pmjit {

std::string print(const Ir& ir);  // of a verified Ir
std::string type_text(const Type& type);
std::string operand_text(const Operand& operand);
// "%1 = rate %0 : f64 instant count / sec over 60.1"
std::string node_text(const Ir& ir, NodeId id);

}  // namespace pmjit
