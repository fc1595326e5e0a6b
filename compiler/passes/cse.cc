// Common sub-expressions among all roots: core operators keep no state of their own, so equal nodes
// are one.

#include <map>
#include <tuple>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pmjit {

namespace {

using Key = std::tuple<Op, uint32_t, uint64_t, std::string, std::vector<uint32_t>>;

Key key_of(const Ir& ir, const Node& node, std::span<const NodeId> args) {
  std::vector<uint32_t> ids;
  for (NodeId arg : args) ids.push_back(arg.index);
  // The same text is the same, whatever its place in Ir::texts.
  if (payload_of(node.op) == Payload::text)
    return {node.op, node.type_id.index, 0, ir.texts[node.payload], ids};
  return {node.op, node.type_id.index, node.payload, "", ids};
}

}  // namespace

Ir cse(Ir ir) {
  Rewrite rewrite(ir);
  std::map<Key, NodeId> seen;
  return rewrite.run([&](NodeId old) {
    const std::vector<NodeId> args = rewrite.mapped_args(old);
    auto [it, is_new] = seen.try_emplace(key_of(ir, ir.nodes[old], args));
    if (is_new) it->second = rewrite.add(ir.nodes[old], args);
    return it->second;
  });
}

}  // namespace pmjit
