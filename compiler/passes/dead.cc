// What no root needs goes, and with it the operands that nobody fetches any more.

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pmjit {

namespace {

std::vector<bool> needed_by_roots(const Ir& ir) {
  std::vector<bool> needed(ir.nodes.size(), false);
  for (NodeId root : ir.roots) needed[root.index] = true;
  for (uint32_t i = ir.nodes.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (NodeId arg : ir.args_of(NodeId{{i}})) needed[arg.index] = true;
  }
  return needed;
}

Ir without_idle_operands(Ir ir) {
  Store<OperandId, Operand> operands;
  std::vector<OperandId> kept(ir.operands.size());
  const auto keep = [&](OperandId old) {
    OperandId& to = kept[old.index];
    if (!to.known()) to = operands.add(ir.operands[old]);
    return to;
  };
  std::vector<DerivedExpression> derived;
  std::vector<uint32_t> kept_derived(ir.derived.size(), kNoIndex);
  for (Node& node : ir.nodes) {
    if (node.op == Op::fetch) {
      node.payload = keep(OperandId{{static_cast<uint32_t>(node.payload)}}).index;
    }
    if (payload_of(node.op) != Payload::derived) continue;
    uint32_t& to = kept_derived[node.payload];
    if (to == kNoIndex) {
      to = static_cast<uint32_t>(derived.size());
      derived.push_back(ir.derived[node.payload]);
      for (OperandId& operand : derived.back().operands) operand = keep(operand);
    }
    node.payload = to;
  }
  ir.operands = std::move(operands);
  ir.derived = std::move(derived);
  return ir;
}

}  // namespace

Ir dead(Ir ir) {
  const std::vector<bool> needed = needed_by_roots(ir);
  Rewrite rewrite(ir);
  return without_idle_operands(
      rewrite.run([&](NodeId old) { return needed[old.index] ? rewrite.keep(old) : NodeId{}; }));
}

}  // namespace pmjit
