#include "compiler/plan/rewrites.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pmjit {

namespace {

bool by_name(Op op) { return op == Op::matching || op == Op::mismatching; }

bool has_filters(const Ir& ir) {
  return std::ranges::any_of(ir.nodes, [](const Node& node) { return by_name(node.op); });
}

// A name stays a name where domains meet.
bool works_by_lane(Op op) {
  const Shape shape = info(op).shape;
  return shape == Shape::lanes || shape == Shape::cast || shape == Shape::meet;
}

class Lifting {
 public:
  explicit Lifting(const Ir& from)
      : from_(from), to_(from.without_nodes()), lifted_(from.nodes.size()) {}

  Ir run() {
    for (uint32_t i = 0; i < from_.nodes.size(); ++i) lift(NodeId{{i}});
    for (const NodeId root : from_.roots) to_.roots.push_back(whole(root));
    return std::move(to_);
  }

 private:
  // A node without the filters that its lanes go through, and these; once they are needed, with
  // them.
  struct Lifted {
    NodeId bare, whole;
    std::vector<Node> filters;  // without arguments and types
  };

  void lift(NodeId id) {
    const Node& node = from_.nodes[id];
    Lifted& out = lifted_[id.index];
    const auto args = from_.args_of(id);
    if (by_name(node.op)) {
      out = lifted_[args[0].index];
      out.whole = {};
      take({&node, 1}, out.filters);
      return;
    }
    std::vector<NodeId> made;
    for (size_t i = 0; i < args.size(); ++i) {
      // Of a ?: only the picked arm counts.
      const bool lifts = works_by_lane(node.op) && (node.op != Op::pick || i == 0);
      made.push_back(lifts ? lifted_[args[i].index].bare : whole(args[i]));
      if (lifts) take(lifted_[args[i].index].filters, out.filters);
    }
    out.bare = to_.add(node, made);
  }

  void take(std::span<const Node> more, std::vector<Node>& filters) const {
    for (const Node& filter : more) {
      const bool known = std::ranges::any_of(filters, [&](const Node& other) {
        return other.op == filter.op && from_.texts[other.payload] == from_.texts[filter.payload];
      });
      if (!known) filters.push_back(filter);
    }
  }

  NodeId whole(NodeId id) {
    Lifted& lifted = lifted_[id.index];
    if (lifted.whole.known()) return lifted.whole;
    lifted.whole = lifted.bare;
    for (Node filter : lifted.filters) {
      filter.type_id = to_.nodes[lifted.bare].type_id;
      lifted.whole = to_.add(filter, {lifted.whole});
    }
    return lifted.whole;
  }

  const Ir& from_;
  Ir to_;
  std::vector<Lifted> lifted_;
};

}  // namespace

Ir lift_filters(Ir ir) {
  if (!has_filters(ir)) return ir;
  return Lifting(ir).run();
}

}  // namespace pmjit
