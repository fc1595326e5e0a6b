#include "compiler/plan/rewrites.h"

namespace pmjit {

namespace {

class Separation {
 public:
  explicit Separation(const Ir& from) : from_(from) { out_.ir = from.without_nodes(); }

  SeparatedIr run() {
    find_selective();
    find_needed();
    values_.resize(from_.nodes.size());
    updates_.resize(from_.nodes.size());
    for (uint32_t i = 0; i < from_.nodes.size(); ++i) {
      if (value_needed_[i]) values_[i] = copy(NodeId{{i}}, false);
      if (updates_needed_[i]) updates_[i] = copy(NodeId{{i}}, true);
    }
    for (NodeId root : from_.roots) out_.ir.roots.push_back(values_[root.index]);
    return std::move(out_);
  }

 private:
  Shape shape_of(NodeId id) const { return info(from_.nodes[id].op).shape; }

  void find_selective() {
    for (uint32_t i = 0; i < from_.nodes.size(); ++i) {
      bool selective = knows_without_all(from_, NodeId{{i}});
      for (NodeId arg : from_.args_of(NodeId{{i}})) selective = selective || selective_[arg.index];
      selective_.push_back(selective);
    }
  }

  void find_needed() {
    value_needed_.resize(from_.nodes.size());
    updates_needed_.resize(from_.nodes.size());
    for (NodeId root : from_.roots) value_needed_[root.index] = true;
    for (uint32_t i = from_.nodes.size(); i-- > 0;) {
      for (bool beneath : {false, true}) {
        if (!(beneath ? updates_needed_ : value_needed_)[i]) continue;
        for (NodeId arg : from_.args_of(NodeId{{i}})) {
          (on_updates(NodeId{{i}}, arg, beneath) ? updates_needed_ : value_needed_)[arg.index] =
              true;
        }
      }
    }
  }

  // Does `user`, itself beneath a history or not, take the version of `arg` that is?
  bool on_updates(NodeId user, NodeId arg, bool beneath) const {
    return selective_[arg.index] && (beneath || shape_of(user) == Shape::past);
  }

  NodeId copy(NodeId id, bool beneath) {
    std::vector<NodeId> args;
    for (NodeId arg : from_.args_of(id)) {
      args.push_back((on_updates(id, arg, beneath) ? updates_ : values_)[arg.index]);
    }
    out_.on_updates.push_back(beneath);
    return out_.ir.add(from_.nodes[id], args);
  }

  const Ir& from_;
  SeparatedIr out_;
  std::vector<bool> selective_, value_needed_, updates_needed_;
  std::vector<NodeId> values_, updates_;
};

}  // namespace

bool is_over_hosts(const Ir& ir, NodeId id) {
  return info(ir.nodes[id].op).shape == Shape::reduce &&
         ir.nodes[ir.args_of(id)[0]].op == Op::hosts;
}

bool knows_without_all(const Ir& ir, NodeId id) {
  const Absence absence = info(ir.nodes[id].op).absence;
  return is_selective(absence) || (absence == Absence::judged && is_over_hosts(ir, id));
}

SeparatedIr separate_histories(const Ir& ir) { return Separation(ir).run(); }

}  // namespace pmjit
