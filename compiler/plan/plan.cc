#include "compiler/plan/plan.h"

#include <algorithm>
#include <iterator>

#include "compiler/plan/rewrites.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

bool is_elementwise(Shape shape) { return in_kernels(shape) && shape != Shape::reduce; }

// What takes and gives whole rows, outside of kernels.
bool moves_rows(Shape shape) {
  return shape == Shape::roster || shape == Shape::filter || shape == Shape::texts ||
         shape == Shape::meet;
}

// A row for every row of the operand, and no other.
bool takes_row_by_row(Op op) {
  switch (info(op).shape) {
    case Shape::reduce:
    case Shape::past:
    case Shape::roster:
    case Shape::texts: return true;
    case Shape::filter: return !is_selective(info(op).absence);
    default: return false;
  }
}

// What makes rows out of nothing.
bool fills_rows(Op op) { return op == Op::novalue || op == Op::spread; }

StepKind row_step(Op op) {
  switch (op) {
    case Op::select: return StepKind::select;
    case Op::matching:
    case Op::mismatching: return StepKind::matching;
    case Op::known: return StepKind::known;
    case Op::proven: return StepKind::proven;
    case Op::encode: return StepKind::encode;
    case Op::decode: return StepKind::decode;
    case Op::equals: return StepKind::equals;
    case Op::novalue: return StepKind::nobody;
    case Op::spread: return StepKind::spread;
    case Op::meet: return StepKind::meet;
    default: return StepKind::scalar;
  }
}

Updaters merge_clocks(const Updaters& a, const Updaters& b) {
  Updaters out;
  std::ranges::set_union(a, b, std::back_inserter(out));
  return out;
}

class Planner {
 public:
  explicit Planner(Ir ir) {
    SeparatedIr separated = separate_histories(lift_filters(std::move(ir)));
    plan_.ir = std::move(separated.ir);
    on_updates_ = std::move(separated.on_updates);
  }

  Plan run() {
    wrap_constant_roots();
    on_updates_.resize(ir().nodes.size());
    find_clocks();
    find_vacating();
    find_slots();
    for (uint32_t i = 0; i < ir().nodes.size(); ++i) {
      const NodeId id{{i}};
      if (!has_slot(id)) continue;
      const Shape shape = info(ir().nodes[id].op).shape;
      if (is_elementwise(shape)) add_lanes_step(id);
      if (shape == Shape::reduce) add_reduce_step(id);
      if (moves_rows(shape) || fills_rows(ir().nodes[id].op)) add_row_step(id);
      if (ir().nodes[id].op == Op::derived) {
        const DerivedExpression& derived = ir().derived[ir().nodes[id].payload];
        plan_.steps.push_back(
            {.kind = StepKind::sets, .node = id, .text = "derived " + derived.name, .cost = 0});
      }
    }
    return std::move(plan_);
  }

 private:
  Ir& ir() { return plan_.ir; }
  bool has_slot(NodeId id) const { return plan_.slot_of[id.index].known(); }
  const OpInfo& op_of(NodeId id) { return info(ir().nodes[id].op); }

  // A constant lives in kernels; as a root it needs a step, and `instant` is the operator that
  // changes nothing.
  void wrap_constant_roots() {
    for (NodeId& root : ir().roots) {
      const Node constant = ir().nodes[root];
      if (constant.op != Op::constant) continue;
      root = ir().add(Node{.op = Op::instant, .type_id = constant.type_id, .where = constant.where},
                      {root});
    }
  }

  // A node changes when an operand beneath it does. A derived metric is evaluated at every group,
  // as if it were fetched there (spec dialects.md §13.5). Logic, ?: and the like are evaluated at
  // every group: they may be known although an operand is stale. Beneath a history they are not
  // (rewrites.h). A constant has the instances of every group, and makes no update of those who
  // use it; nor does a domain that meets another: which names are there is asked at every group.
  void find_clocks() {
    Updaters every_group;
    for (uint32_t i = 0; i < ir().operands.size(); ++i) every_group.push_back(i);
    for (uint32_t i = 0; i < ir().nodes.size(); ++i) {
      const NodeId id{{i}};
      const Node& node = ir().nodes[id];
      Updaters updates;
      if (node.op == Op::fetch) updates.push_back(static_cast<uint32_t>(node.payload));
      if (node.op == Op::derived) updates = every_group;
      bool follows = node.op == Op::spread;
      for (NodeId arg : ir().args_of(id)) {
        follows = follows || (updates_[arg.index].empty() && !plan_.clock_of[arg.index].empty());
        updates = merge_clocks(updates, updates_[arg.index]);
      }
      const bool selective = knows_without_all(ir(), id);
      if (selective && !updates.empty() && !on_updates_[i]) updates = every_group;
      const bool at_every_group =
          (follows && updates.empty()) || info(node.op).shape == Shape::meet;
      if (takes_row_by_row(node.op) && !is_over_hosts(ir(), id)) {
        plan_.clock_of.push_back(plan_.clock_of[ir().args_of(id)[0].index]);
      } else {
        plan_.clock_of.push_back(at_every_group ? every_group : updates);
      }
      updates_.push_back(std::move(updates));
    }
  }

  // May a lane of it be vacant although an operand offers it? A history drops new instances, a
  // selected instance may be gone, and filters are there for it.
  void find_vacating() {
    for (uint32_t i = 0; i < ir().nodes.size(); ++i) {
      const NodeId id{{i}};
      const bool over_instances = ir().type_of(id).axes.domain != kNullId;
      const Op op = ir().nodes[id].op;
      bool vacating = op == Op::select || op == Op::novalue || op_of(id).shape == Shape::filter;
      if (op_of(id).shape == Shape::past) vacating = over_instances;
      vacating = vacating || op == Op::derived;
      for (NodeId arg : ir().args_of(id)) vacating = vacating || vacating_[arg.index];
      const Shape shape = op_of(id).shape;
      vacating_.push_back(vacating && shape != Shape::reduce && op != Op::scalar);
    }
  }

  // A ?: of which one arm may lack lanes that the other has: which lanes there are depends on
  // values.
  bool picks_lanes(NodeId id) {
    if (ir().nodes[id].op != Op::pick) return false;
    const auto args = ir().args_of(id);
    return vacating_[args[1].index] || vacating_[args[2].index];
  }

  // A node needs a slot if it is recorded or a result, if it moves rows, if rows of its
  // past or all its lanes are needed, if several use it, or if it has a history and is used on a
  // faster clock than its own.
  void find_slots() {
    const uint32_t count = ir().nodes.size();
    std::vector<uint32_t> users(count, 0);
    std::vector<bool> needs(count, false);
    for (NodeId root : ir().roots) needs[root.index] = true;
    for (uint32_t i = 0; i < count; ++i) {
      const NodeId id{{i}};
      const Shape shape = op_of(id).shape;
      if (shape == Shape::reduce || moves_rows(shape) || picks_lanes(id)) needs[i] = true;
      for (NodeId arg : ir().args_of(id)) {
        ++users[arg.index];
        const Shape arg_shape = op_of(arg).shape;
        if (shape == Shape::past || shape == Shape::reduce || shape == Shape::hosts ||
            moves_rows(shape) || picks_lanes(id)) {
          needs[arg.index] = true;
        }
        if (arg_shape == Shape::past && plan_.clock_of[arg.index] != plan_.clock_of[i]) {
          needs[arg.index] = true;
        }
      }
    }
    std::vector<uint32_t> fused(count, 0);  // nodes of the chain that ends here
    for (uint32_t i = 0; i < count; ++i) {
      const NodeId id{{i}};
      const Op op = ir().nodes[id].op;
      const bool shared = users[i] > 1 && op_of(id).shape != Shape::leaf && op_of(id).cost > 1;
      fused[i] = 1;
      for (NodeId arg : ir().args_of(id)) fused[i] += has_slot(arg) ? 0 : fused[arg.index];
      const bool large = fused[i] > limits::kKernelNodesMax;
      const bool always = op == Op::fetch || op == Op::derived || fills_rows(op);
      const bool never = op == Op::constant || op == Op::hosts;
      const bool slot = always || (!never && (needs[i] || shared || large));
      plan_.slot_of.push_back(slot ? SlotId{{slots_++}} : SlotId{});
    }
    spread_past_slots();
  }

  // A fused chain runs on the clock of its last node; a history inside it must tick the same way.
  void spread_past_slots() {
    for (uint32_t i = 0; i < ir().nodes.size(); ++i) {
      const NodeId id{{i}};
      if (has_slot(id) || !is_elementwise(op_of(id).shape)) continue;
      if (!holds_past(id)) continue;
      for (uint32_t user = i + 1; user < ir().nodes.size(); ++user) {
        const auto args = ir().args_of(NodeId{{user}});
        if (std::ranges::find(args, id) == args.end()) continue;
        if (plan_.clock_of[user] != plan_.clock_of[i]) {
          plan_.slot_of[i] = SlotId{{slots_++}};
          break;
        }
      }
    }
  }

  bool holds_past(NodeId id) {
    if (has_slot(id)) return false;
    if (op_of(id).shape == Shape::past) return true;
    return std::ranges::any_of(ir().args_of(id), [&](NodeId arg) { return holds_past(arg); });
  }

  void add_lanes_step(NodeId id) {
    PlanStep step{.kind = StepKind::lanes, .node = id};
    collect(id, step);
    step.spec.nodes.push_back(id);
    step.text += std::string(op_of(id).name);
    step.cost += op_of(id).cost;
    if (picks_lanes(id)) step.picks = pick_inputs(step, id);
    plan_.steps.push_back(std::move(step));
  }

  // A guard that is a constant picks one arm; the other gives the instances that it has.
  PickInputs pick_inputs(const PlanStep& step, NodeId id) {
    PickInputs out{input_of(step, id, 0), input_of(step, id, 1), input_of(step, id, 2)};
    const Node& guard = ir().nodes[ir().args_of(id)[0]];
    if (guard.op == Op::constant) (guard.payload != 0 ? out.right : out.left) = PickInputs::kOther;
    return out;
  }

  int32_t input_of(const PlanStep& step, NodeId id, size_t arg) {
    const NodeId wanted = ir().args_of(id)[arg];
    for (size_t i = 0; i < step.spec.inputs.size(); ++i) {
      if (step.spec.inputs[i].node == wanted) return static_cast<int32_t>(i);
    }
    return PickInputs::kConstant;
  }

  // The operands of `id`, in order: earlier nodes of the kernel, constants, or inputs. A chain of
  // nodes without slots is no longer than limits::kKernelNodesMax, so the recursion is bounded.
  void collect(NodeId id, PlanStep& step) {
    const bool past = op_of(id).shape == Shape::past;
    for (NodeId arg : ir().args_of(id)) {
      const Elem elem = ir().type_of(arg).elem;
      if (ir().nodes[arg].op == Op::constant) {
        add_once(step.spec.constants, arg);
      } else if (has_slot(arg)) {
        add_once(step.spec.inputs, {KernelInput::Kind::now, arg, elem});
        if (past) add_once(step.spec.inputs, {KernelInput::Kind::before, arg, elem});
      } else if (std::ranges::find(step.spec.nodes, arg) == step.spec.nodes.end()) {
        collect(arg, step);
        step.spec.nodes.push_back(arg);
        step.text += std::string(op_of(arg).name) + " ";
        step.cost += op_of(arg).cost;
      }
    }
    if (ir().nodes[id].op == Op::rate) {
      step.spec.inputs.push_back({KernelInput::Kind::seconds, id, Elem::f64});
    }
  }

  template <class T>
  static void add_once(std::vector<T>& list, const T& item) {
    if (std::ranges::find(list, item) == list.end()) list.push_back(item);
  }

  void add_reduce_step(NodeId id) {
    const NodeId arg = ir().args_of(id)[0];
    PlanStep step{.kind = StepKind::reduce, .node = id, .inputs = {arg}};
    if (is_over_hosts(ir(), id)) {
      const auto hosts = ir().args_of(arg);
      step.kind = StepKind::reduce_hosts;
      step.inputs.assign(hosts.begin(), hosts.end());
    }
    step.spec.nodes = {id};
    step.spec.inputs = {{KernelInput::Kind::now, arg, ir().type_of(arg).elem}};
    step.text = op_of(id).name;
    if (step.kind == StepKind::reduce_hosts) step.text += "_host";
    step.cost = op_of(id).cost;
    plan_.steps.push_back(std::move(step));
  }

  void add_row_step(NodeId id) {
    const auto args = ir().args_of(id);
    PlanStep step{
        .kind = row_step(ir().nodes[id].op), .node = id, .inputs = {args.begin(), args.end()}};
    step.text = op_of(id).name;
    step.cost = op_of(id).cost;
    plan_.steps.push_back(std::move(step));
  }

  Plan plan_;
  std::vector<bool> on_updates_, vacating_;
  std::vector<Updaters> updates_;  // of a node, for those who use it
  uint32_t slots_ = 0;
};

}  // namespace

Plan make_plan(Ir ir) { return Planner(std::move(ir)).run(); }

}  // namespace pmjit
