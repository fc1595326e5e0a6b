// An operator whose operands are all constants is computed now, by the interpreter. One that has no
// value then (an overflow) stays: it is absent at run time, with its reason.

#include "compiler/interp/interp.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pmjit {

namespace {

bool foldable(Op op) {
  const Shape shape = info(op).shape;
  return shape == Shape::lanes || shape == Shape::cast;
}

// The value of node `id`, whose operands are constants. False: it has none.
bool compute(const Ir& ir, NodeId id, uint64_t& bits) {
  KernelSpec spec{.nodes = {id}, .inputs = {}, .constants = {}};
  std::vector<uint64_t> args;
  for (NodeId arg : ir.args_of(id)) {
    spec.constants.push_back(arg);
    args.push_back(ir.nodes[arg].payload);
  }
  const OwnedKernel kernel = interpret(ir, spec);
  uint64_t out[16] = {};  // one value and the padding that a kernel may write
  uint64_t valid = 0;
  const KernelFrame frame{.in = nullptr,
                          .valid = nullptr,
                          .args = args.data(),
                          .rows = 1,
                          .lanes = 1,
                          .out = out,
                          .out_valid = &valid};
  kernel.kernel.fn(kernel.kernel.self, &frame);
  bits = ir.type_of(id).elem == Elem::truth ? out[0] & 0xff : out[0];
  return (valid & 1) != 0;
}

}  // namespace

Ir fold(Ir ir) {
  Rewrite rewrite(ir);
  return rewrite.run([&](NodeId old) {
    const NodeId kept = rewrite.keep(old);
    const Node& node = rewrite.made().nodes[kept];
    if (!foldable(node.op)) return kept;
    for (NodeId arg : rewrite.made().args_of(kept)) {
      if (rewrite.made().nodes[arg].op != Op::constant) return kept;
    }
    uint64_t bits = 0;
    if (!compute(rewrite.made(), kept, bits)) return kept;
    return rewrite.add(
        Node{.op = Op::constant, .type_id = node.type_id, .payload = bits, .where = node.where},
        {});
  });
}

}  // namespace pmjit
