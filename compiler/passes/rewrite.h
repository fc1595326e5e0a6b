// Rewrite: makes a new Ir from an old one, node by node in order. A pass says what becomes of each
// node; ids of operands and roots are mapped on the way.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace pmjit {

class Rewrite {
 public:
  explicit Rewrite(const Ir& from)
      : from_(from), to_(from.without_nodes()), node_of_(from.nodes.size()) {}

  // visit(old id) → new id, through keep(), add() or mapped().
  template <class Visit>
  Ir run(Visit visit) {
    for (uint32_t i = 0; i < from_.nodes.size(); ++i) node_of_[i] = visit(NodeId{{i}});
    for (NodeId root : from_.roots) to_.roots.push_back(mapped(root));
    return std::move(to_);
  }

  [[nodiscard]] NodeId mapped(NodeId old) const { return node_of_[old.index]; }
  [[nodiscard]] std::vector<NodeId> mapped_args(NodeId old) const {
    std::vector<NodeId> out;
    for (NodeId arg : from_.args_of(old)) out.push_back(mapped(arg));
    return out;
  }
  NodeId keep(NodeId old) { return to_.add(from_.nodes[old], mapped_args(old)); }
  TypeId intern(const Type& type) { return to_.intern(type); }
  NodeId add(const Node& node, std::span<const NodeId> args) { return to_.add(node, args); }
  [[nodiscard]] const Ir& made() const { return to_; }

 private:
  const Ir& from_;
  Ir to_;
  std::vector<NodeId> node_of_;
};

}  // namespace pmjit
