#include "compiler/sema/lower.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

NodeId join(Ir& ir, Op op, NodeId a, NodeId b, const Node& like) {
  Node node = like;
  node.op = op;
  return ir.add(node, std::array{a, b});
}

// Whatever the truths are, but vacant where they are.
NodeId always(Ir& ir, std::span<const NodeId> truths, const Node& like) {
  Type type = ir.types[like.type_id];
  type.axes = Axes{};
  Node node = like;
  node.op = Op::constant;
  node.type_id = ir.intern(type);
  node.payload = 1;
  NodeId out = ir.add(node, {});
  for (const NodeId truth : truths) out = join(ir, Op::or_, out, truth, like);
  return out;
}

}  // namespace

// least[k] is "k of the truths so far"; with a truth more it is that, or the truth and k - 1 of
// those before. Without a negation three-valued logic says no less than counting would.
NodeId at_least_of(Ir& ir, std::span<const NodeId> truths, uint64_t percent, const Node& like) {
  const size_t count = truths.size(), need = (percent * count + 99) / 100;
  check(need <= count, "a share is at most 100");
  if (need == 0) return always(ir, truths, like);
  std::vector<NodeId> least(need + 1);
  for (size_t i = 1; i <= count; ++i) {
    const NodeId truth = truths[i - 1];
    const size_t left = count - i;  // what they cannot add matters no more
    const size_t from = need > left ? need - left : 1;
    for (size_t k = std::min(i, need); k >= from; --k) {
      const NodeId more = k == 1 ? truth : join(ir, Op::and_, truth, least[k - 1], like);
      least[k] = k == i ? more : join(ir, Op::or_, least[k], more, like);
    }
  }
  return least[need];
}

}  // namespace pmjit
