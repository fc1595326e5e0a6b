// Builder: an Ir and the specs of kernels over it, made without the compiler. Everything is read
// from ops.def and types.h, so that a new operator is tested without a change here.
#pragma once

#include <initializer_list>
#include <vector>

#include "compiler/ir/kernel_spec.h"
#include "compiler/ir/types.h"

namespace pmjit::tests {

using Elems = std::vector<Elem>;

// All operand elements that the operator takes.
std::vector<Elems> legal_elems(Op op);
bool is_kernel_op(Op op);
// Payloads worth trying, of an operator with this result.
std::vector<uint64_t> payloads(Op op, Elem result);

class Builder {
 public:
  // A node whose values a kernel reads: a metric, or for truth a node of that type.
  NodeId leaf(Elem elem, Semantics semantics = Semantics::instant);
  NodeId constant(Elem elem, uint64_t bits);
  NodeId add(Op op, std::initializer_list<NodeId> args, uint64_t payload = 0);
  NodeId add(Op op, std::span<const NodeId> args, uint64_t payload = 0);
  // Makes it verify: the roots are what was added last.
  void root(NodeId id) { ir.roots.push_back(id); }

  Ir ir;
};

// The inputs that `node` of a kernel reads beside its operands: what stands before, and the
// seconds.
void add_past_inputs(const Ir& ir, NodeId node, KernelSpec& spec);
void add_input(const Ir& ir, NodeId node, KernelSpec& spec);

}  // namespace pmjit::tests
