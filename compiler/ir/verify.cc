#include "compiler/ir/verify.h"

#include <fmt/core.h>

#include <cmath>
#include <set>
#include <utility>

#include "compiler/ir/types.h"

namespace pmjit {

namespace {

using Complaint = std::string;  // empty: none

// Everything that printing relies on, so that a complaint can quote the node.
Complaint references(const Ir& ir, NodeId id) {
  const Node& node = ir.nodes[id];
  if (static_cast<size_t>(node.op) >= all_ops().size()) return "no such operator";
  if (!ir.types.holds(node.type_id)) return "no such type";
  if (info(node.op).arity == kAnyArity && node.payload == 0) return "no operand";
  const size_t arity = arity_of(node);
  if (node.first_arg > ir.args.size() || ir.args.size() - node.first_arg < arity) {
    return "operands beyond the list of operands";
  }
  for (const NodeId arg : ir.args_of(id)) {
    if (arg.index >= id.index) return fmt::format("operand %{} is not an earlier node", arg.index);
  }
  const Payload payload = payload_of(node.op);
  if (payload == Payload::operand && node.payload >= ir.operands.size()) return "no such metric";
  if (payload == Payload::derived && node.payload >= ir.derived.size())
    return "no such derived metric";
  if (payload == Payload::text && node.payload >= ir.texts.size()) return "no such text";
  return "";
}

Complaint fetch_type(const Desc& desc, const Type& type) {
  if (elem_from_pm(desc.pm_type) != type.elem) return "element is not the metric's";
  if (type.semantics != desc.semantics) return "semantics are not the metric's";
  if (type.units != desc.units) return "units are not the metric's";
  if (type.axes.domain != desc.indom) return "instance domain is not the metric's";
  return "";
}

Complaint leaf_type(const Ir& ir, const Node& node) {
  const Type& type = ir.types[node.type_id];
  if (payload_of(node.op) == Payload::operand) {
    const OperandId operand{{static_cast<uint32_t>(node.payload)}};
    return fetch_type(ir.operands[operand].desc, type);
  }
  if (payload_of(node.op) == Payload::derived) {
    for (const OperandId operand : ir.derived[node.payload].operands) {
      if (!ir.operands.holds(operand)) return "an operand that is not there";
    }
    return is_number(type.elem) || type.elem == Elem::text ? ""
                                                           : "a derived metric is a number or text";
  }
  if (!is_computed(type.elem) && type.elem != Elem::truth) return "constant of a storage element";
  const bool spread = node.op == Op::spread && type.axes.domain != kNullId;
  if (type.axes != Axes{.domain = spread ? type.axes.domain : kNullId})
    return "constant with an axis";
  if (node.op == Op::spread && !spread) return "spread over no domain";
  return "";
}

// Instances of a domain become those of another.
bool meets(const Axes& from, const Axes& to) {
  const bool two_domains =
      from.domain != kNullId && to.domain != kNullId && from.domain != to.domain;
  return two_domains && from.host_set == to.host_set && from.window == to.window;
}

Complaint elements_and_axes(const Ir& ir, NodeId id) {
  const Node& node = ir.nodes[id];
  const Type& type = ir.types[node.type_id];
  std::vector<Elem> elems;
  std::vector<Axes> axes;
  for (const NodeId arg : ir.args_of(id)) {
    elems.push_back(ir.type_of(arg).elem);
    axes.push_back(ir.type_of(arg).axes);
  }
  const auto elem = result_elem(node.op, elems);
  if (!elem) return "does not take operands of these elements";
  if (*elem != type.elem) return fmt::format("the result is {}", elem_text(*elem));
  if (info(node.op).shape == Shape::meet) {
    return meets(axes[0], type.axes) ? "" : "no two domains that meet";
  }
  const auto joined = result_axes(node.op, axes);
  if (!joined) return "operands have different axes";
  if (*joined != type.axes) return "axes are not those of the operands";
  return "";
}

Complaint units(const Ir& ir, NodeId id) {
  const UnitsRule rule = info(ir.nodes[id].op).units;
  const Units result = ir.type_of(id).units;
  if (rule == UnitsRule::same && result != ir.type_of(ir.args_of(id)[0]).units) {
    return "units are not the operand's";
  }
  if (rule == UnitsRule::none && !result.none()) return "a truth value has no units";
  return "";
}

bool positive(Elem elem, uint64_t bits) {
  if (elem == Elem::f64) {
    const double factor = std::bit_cast<double>(bits);
    return std::isfinite(factor) && factor > 0;
  }
  return elem == Elem::i64 ? std::bit_cast<int64_t>(bits) > 0 : bits > 0;
}

Complaint payload(const Ir& ir, const Node& node) {
  const Elem elem = ir.types[node.type_id].elem;
  switch (payload_of(node.op)) {
    case Payload::number: return elem == Elem::truth && node.payload > 1 ? "truth is 0 or 1" : "";
    case Payload::factor: return positive(elem, node.payload) ? "" : "factor is not positive";
    case Payload::divisor:
      return positive(Elem::f64, node.payload) ? "" : "divisor is not positive";
    case Payload::wrap: return node.payload > 1 ? "wrap is 0 or 1" : "";
    case Payload::share: return node.payload > 100 ? "a percentage is 0 to 100" : "";
    case Payload::none: return node.payload != 0 ? "payload without meaning" : "";
    case Payload::operand:
    case Payload::derived:
    case Payload::text:
    case Payload::arity: return "";
  }
  return "";
}

Complaint node_complaint(const Ir& ir, NodeId id) {
  Complaint wrong = references(ir, id);
  if (!wrong.empty()) return wrong;
  const Node& node = ir.nodes[id];
  const bool leaf = info(node.op).shape == Shape::leaf;
  wrong = leaf ? leaf_type(ir, node) : elements_and_axes(ir, id);
  if (wrong.empty()) wrong = units(ir, id);
  if (wrong.empty()) wrong = payload(ir, node);
  return wrong;
}

}  // namespace

Result<void> verify(const Ir& ir) {
  std::set<std::pair<std::string_view, Between>> metrics;
  for (const Operand& operand : ir.operands) {
    const size_t before = metrics.size();
    metrics.emplace_hint(metrics.end(), operand.metric, operand.between);  // mostly in order
    if (metrics.size() == before) {
      return fail(Fault::format, fmt::format("operand {} twice", operand.metric));
    }
  }
  for (uint32_t i = 0; i < ir.nodes.size(); ++i) {
    const Complaint wrong = node_complaint(ir, NodeId{{i}});
    if (wrong.empty()) continue;
    const Op op = ir.nodes[NodeId{{i}}].op;
    const bool known = static_cast<size_t>(op) < all_ops().size();
    return fail(Fault::format, fmt::format("%{} {}: {}", i, known ? info(op).name : "?", wrong));
  }
  if (ir.roots.empty()) return fail(Fault::format, "no root");
  for (const NodeId root : ir.roots) {
    if (!ir.nodes.holds(root))
      return fail(Fault::format, fmt::format("root %{}: no such node", root.index));
  }
  return {};
}

}  // namespace pmjit
