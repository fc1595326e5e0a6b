#include "rules/compat/value_report.h"

#include "rules/compat/value_text.h"

namespace pmjit::pmie {

void ValueReport::put(std::string& out, const PmieEvaluator& at, uint32_t root) const {
  const PmieNode& node = at.program().nodes[root];
  switch (verbose_) {
    case Verbose::annotated: return put_annotated(out, at, root);
    case Verbose::satisfying: {
      const bool truth = node.sem == Sem::truth || kind_of(node.op) == OpKind::rule;
      return truth ? put_satisfying(out, at, root) : put_annotated(out, at, root);
    }
    default: return put_plain(out, at, root);
  }
}

// A new line for the element, with its host and instance.
void ValueReport::put_place(std::string& out, const PmieEvaluator& at, uint32_t node,
                            size_t element) const {
  const ElementNames names = names_of(at, node, element, hosts_, hosts_);
  out += "\n    ";
  out += names.host.value_or("");
  out += ": ";
  if (names.instance) out += "[" + *names.instance + "] ";
}

void ValueReport::put_annotated(std::string& out, const PmieEvaluator& at, uint32_t index) const {
  const PmieNode& node = at.program().nodes[index];
  const NodeState& state = at.state(index);
  const bool has_axis = state.shape.insts > 0 || state.shape.hosts > 0;
  if (!has_axis || node.metrics == kNone || state.valid == 0) return put_plain(out, at, index);
  for (size_t i = 0; i < state.span(); ++i) {
    put_place(out, at, index, i);
    put_samples(out, at, index, i);
  }
}

void ValueReport::put_satisfying(std::string& out, const PmieEvaluator& at, uint32_t root) const {
  const PmieNode& node = at.program().nodes[root];
  if (node.metrics == kNone || at.state(root).valid == 0) return put_plain(out, at, root);
  const BindingNodes binding = binding_of(at, root);
  if (at.state(binding.node).valid == 0) {
    out += " <no bindings available>";
    return;
  }
  for (const size_t element : satisfying(at, binding)) {
    put_place(out, at, binding.node, element);
    put_samples(out, at, binding.value, element);
  }
}

}  // namespace pmjit::pmie
