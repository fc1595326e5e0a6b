#include "compiler/driver/compatible_files.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "compiler/compat/definitions/evaluate.h"
#include "compiler/compat/definitions/set_expression.h"
#include "compiler/ir/types.h"
#include "compiler/passes/rewrite.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

Op core_op(Operator sign) {
  switch (sign) {
    case Operator::sub: return Op::sub;
    case Operator::mul: return Op::mul;
    case Operator::div: return Op::div_or_0;
    default: return Op::add;
  }
}

bool is_arithmetic(const pcp::PcpNode& node) {
  return node.kind == ExprKind::binary && node.op <= Operator::div;
}

// Does the node mean the same whatever the values are? Its operands are asked for themselves.
bool agrees(const pcp::PcpTree& tree, const pcp::PcpNode& node) {
  const auto arg = [&](size_t i) -> const pcp::PcpNode& { return tree.nodes[node.args[i]]; };
  const auto meets = [&](const pcp::PcpNode& operand) {
    return operand.factor.mul == 1 && operand.factor.div == 1 &&
           operand.desc.pm_type <= pm_type::f64 &&
           (operand.desc.indom == kNullId || operand.desc.indom == node.desc.indom);
  };
  switch (node.kind) {
    case ExprKind::name: return !node.unknown && !node.nested && !node.asked_only;
    case ExprKind::integer:
    case ExprKind::real: return true;
    case ExprKind::mkconst: return node.desc.indom == kNullId;
    case ExprKind::unary:
      return node.op != Operator::not_ && arg(0).desc.pm_type == pm_type::f64 &&
             node.desc.pm_type == pm_type::f64 && meets(arg(0));
    case ExprKind::binary:
      return is_arithmetic(node) && node.desc.pm_type == pm_type::f64 && meets(arg(0)) &&
             meets(arg(1));
    case ExprKind::call: return node.function == pcp::Function::instant;
    default: return false;
  }
}

bool agrees(const pcp::PcpTree& tree) {
  const pcp::PcpNode& root = tree.nodes.back();
  return !tree.operands.empty() && !is_number(root) &&
         std::ranges::all_of(tree.nodes, [&](const pcp::PcpNode& node) {
           return node.unused || agrees(tree, node);
         });
}

class DefinitionProof {
 public:
  DefinitionProof(const Ir& ir, const Bodies& bodies) : ir_(ir), bodies_(bodies), rewrite_(ir) {}

  Ir run() {
    find_beneath_histories();
    return rewrite_.run([&](NodeId old) {
      const Node& node = ir_.nodes[old];
      if (node.op == Op::fetch) return fetch(OperandId{{static_cast<uint32_t>(node.payload)}});
      const pcp::PcpTree* tree = node.op == Op::derived ? tree_of(node) : nullptr;
      if (tree == nullptr || beneath_history_[old.index] || !agrees(*tree)) {
        return rewrite_.keep(old);
      }
      const auto made = in_core(*tree, node);
      return made ? *made : rewrite_.keep(old);
    });
  }

 private:
  const pcp::PcpTree* tree_of(const Node& node) const {
    const uint32_t body = ir_.derived[node.payload].body;
    return body < bodies_.size() ? pcp::tree_of(*bodies_[body]) : nullptr;
  }

  // To a history every group is a sample of a derived metric, and only an update of core operators.
  void find_beneath_histories() {
    beneath_history_.resize(ir_.nodes.size());
    for (uint32_t i = ir_.nodes.size(); i-- > 0;) {
      const bool past = info(ir_.nodes[NodeId{{i}}].op).shape == Shape::past;
      for (const NodeId arg : ir_.args_of(NodeId{{i}})) {
        if (past || beneath_history_[i]) beneath_history_[arg.index] = true;
      }
    }
  }

  NodeId fetch(OperandId id) {
    const auto [it, is_new] = fetches_.try_emplace(id.index, NodeId{});
    if (!is_new) return it->second;
    const Desc& desc = ir_.operands[id].desc;
    const Type type{.elem = *elem_from_pm(desc.pm_type),
                    .semantics = desc.semantics,
                    .units = desc.units,
                    .axes = {.domain = desc.indom}};
    return it->second = add({.op = Op::fetch, .payload = id.index}, type, {});
  }

  NodeId add(Node node, const Type& type, std::initializer_list<NodeId> args) {
    node.type_id = rewrite_.intern(type);
    return rewrite_.add(node, {args.begin(), args.size()});
  }

  const Type& type_of(NodeId id) const { return rewrite_.made().type_of(id); }

  NodeId as_real(NodeId id) {
    Type type = type_of(id);
    if (type.elem == Elem::f64) return id;
    type.elem = Elem::f64;
    return add({.op = Op::to_f64}, type, {id});
  }

  // None: what comes out would not be labelled alike.
  std::optional<NodeId> in_core(const pcp::PcpTree& tree, const Node& derived) {
    const DerivedExpression& expression = ir_.derived[derived.payload];
    std::vector<NodeId> made;
    for (const pcp::PcpNode& node : tree.nodes) made.push_back(in_core(node, made, expression));
    const Type& type = ir_.types[derived.type_id];
    const Type& core = type_of(made.back());
    if (core.elem != type.elem || core.units != type.units || core.axes != type.axes) return {};
    return add({.op = Op::proven, .payload = derived.payload, .where = derived.where}, type,
               {made.back()});
  }

  NodeId in_core(const pcp::PcpNode& node, const std::vector<NodeId>& made,
                 const DerivedExpression& expression) {
    if (node.unused) return {};
    if (is_number(node)) {
      const Atom number = pcp::atom_of_number(node.text, node.desc.pm_type);
      const Atom real = pcp::converted(number, node.desc.pm_type, pm_type::f64, {});
      return add({.op = Op::constant, .payload = bits_of(real.f64)},
                 {.elem = Elem::f64, .semantics = node.desc.semantics, .units = node.desc.units},
                 {});
    }
    if (node.kind == ExprKind::name) {
      const auto id = std::ranges::find_if(expression.operands, [&](OperandId operand) {
        return ir_.operands[operand].desc.pmid == node.desc.pmid;
      });
      return fetch(*id);
    }
    const NodeId first = made[node.args[0]];
    if (node.kind == ExprKind::call) return first;
    if (node.kind == ExprKind::unary) return add({.op = Op::neg}, type_of(first), {first});
    const Type type{.elem = Elem::f64,
                    .semantics = node.desc.semantics,
                    .units = node.desc.units,
                    .axes = {.domain = node.desc.indom}};
    return add({.op = core_op(node.op)}, type, {as_real(first), as_real(made[node.args[1]])});
  }

  const Ir& ir_;
  const Bodies& bodies_;
  Rewrite rewrite_;
  std::vector<bool> beneath_history_;
  std::unordered_map<uint32_t, NodeId> fetches_;
};

}  // namespace

Ir prove(const Ir& ir, const Bodies& bodies) { return DefinitionProof(ir, bodies).run(); }

}  // namespace pmjit
