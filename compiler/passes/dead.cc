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
  for (Node& node : ir.nodes) {
    if (node.op != Op::fetch) continue;
    const OperandId old{{static_cast<uint32_t>(node.payload)}};
    node.payload = operands.add(ir.operands[old]).index;
  }
  ir.operands = std::move(operands);
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
