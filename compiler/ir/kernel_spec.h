// KernelSpec: the part of an Ir that becomes one kernel, and where its operands come from. The plan
// makes them; interp and codegen each turn one into a runtime Kernel with the same meaning, bit for
// bit.
//
// `nodes` are in evaluation order and of shape lanes, cast or past; the last is the result. For a
// reducing kernel there is exactly one node, of shape reduce. An operand of a node is either an
// earlier node of the list, a constant (constants[k] is args[k] of the frame), or an input
// (inputs[k] is in[k]).
//
// A past node (delta, rate) reads three inputs: its operand `now`, the same node as `before` (the
// previous row of each lane), and for rate `seconds` (f64, seconds between the two rows). Where
// `before` is not valid the result is not valid.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace pmjit {

struct KernelInput {
  enum class Kind : uint8_t { now, before, seconds };
  Kind kind = Kind::now;
  NodeId node;  // whose value this is; for seconds: the rate node
  Elem elem = Elem::f64;
  friend bool operator==(const KernelInput&, const KernelInput&) = default;
};

struct KernelSpec {
  std::vector<NodeId> nodes;
  std::vector<KernelInput> inputs;
  std::vector<NodeId> constants;
  [[nodiscard]] NodeId result() const { return nodes.back(); }
};

}  // namespace pmjit
