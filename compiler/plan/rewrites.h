// Filters after joins: an instance that matchinst() leaves out is out of every expression that has
// it as an operand, whether its metric delivered it or not (spec dialects.md §4.3, §13.3 rule 3).
// So a filter moves above what works lane by lane, up to where lanes end.
//
//   x + matchinst(/a/, y)   →   matchinst(/a/, x + y)
//
// Private to compiler/plan.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace pmjit {

Ir lift_filters(Ir ir);

// Over hosts: its inputs are those of the node beneath it, which needs no slot.
bool is_over_hosts(const Ir& ir, NodeId id);

// May it be known although one of several operands is not? That is so of logic, ?:, known() and of
// what is true for some host or for all.
bool knows_without_all(const Ir& ir, NodeId id);

// Histories apart: where logic or ?: is used both as a value and beneath delta() or rate(), it
// becomes two nodes.
//
// As a value it may be known although one of several operands has become stale meanwhile, so it is
// evaluated at every group. Beneath a history it has a row only where its operands have
// observations (spec dialects.md §13.4). What no root needs is left out. Private to compiler/plan.
struct SeparatedIr {
  Ir ir;
  std::vector<bool> on_updates;  // of a node: it, or what it is part of, is beneath a history
};
SeparatedIr separate_histories(const Ir& ir);

}  // namespace pmjit
