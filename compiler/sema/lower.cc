#include "compiler/sema/lower.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <ranges>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "compiler/ast/words.h"
#include "compiler/ir/types.h"
#include "compiler/sema/checker.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

class Lowering {
 public:
  Lowering(const Sema& sema, const LowerOptions& options)
      : sema_(sema), options_(options), root_of_(sema.exprs().size()) {}

  Lowered run(std::span<const uint32_t> roots) {
    const std::vector<bool> wanted = needed(roots);
    for (uint32_t index : sema_.order()) {
      if (wanted[index]) lower_expr(index);
    }
    for (uint32_t index : roots) ir_.roots.push_back(root_of_[index]);
    return {.ir = std::move(ir_), .hosts = std::move(hosts_)};
  }

 private:
  // Of all that has been checked: `roots` and the definitions in them.
  std::vector<bool> needed(std::span<const uint32_t> roots) const {
    std::vector<bool> out(sema_.exprs().size());
    for (uint32_t index : roots) out[index] = true;
    for (uint32_t index : sema_.order() | std::views::reverse) {
      if (!out[index]) continue;
      for (const Checked& checked : sema_.checked(index)) {
        if (checked.refers == Checked::Refers::definition) out[checked.definition] = true;
      }
    }
    return out;
  }

  void lower_expr(uint32_t index) {
    index_ = index;
    ast_ = sema_.exprs()[index].ast;
    as_pcp_ = sema_.exprs()[index].as_pcp;
    const std::vector<Checked>& checked = sema_.checked(index);
    node_of_.assign(ast_->exprs.size(), NodeId{});
    for (uint32_t i = 0; i < ast_->exprs.size(); ++i) {
      if (checked[i].unread) continue;
      at_ = ExprId{{i}};
      node_of_[i] = lower_node(ast_->exprs[ExprId{{i}}], checked[i]);
    }
    root_of_[index] = node_of_[ast_->root.index];
  }

  NodeId lower_node(const Expr& expr, const Checked& checked) {
    switch (expr.kind) {
      case ExprKind::integer:
      case ExprKind::real: return literal(expr, checked);
      case ExprKind::name: return name(expr, checked);
      case ExprKind::instance:
        return with_text(expr.spec_count == 0 ? Op::select : Op::matching, expr, checked,
                         checked.instance);
      case ExprKind::rescale: return rescaled(expr, checked);
      case ExprKind::mkconst: return relabel(operand(expr, 0), checked);
      case ExprKind::call: return call(expr, checked);
      case ExprKind::unary:
        return add(operator_op(expr.op), checked, expr, {wanted(expr, checked, 0)});
      case ExprKind::binary:
        return add(operator_op(expr.op), checked, expr,
                   {wanted(expr, checked, 0), wanted(expr, checked, 1)});
      case ExprKind::ternary:
        return checked.arm != 0 ? operand(expr, checked.arm) : pick(expr, checked);
      case ExprKind::matchinst:
        return with_text(expr.negated ? Op::mismatching : Op::matching, expr, checked, expr.text);
      case ExprKind::novalue: return add(Op::novalue, checked, expr, {});
      case ExprKind::parameter: break;  // sema refuses it
    }
    return {};
  }

  NodeId argument(const Expr& expr, size_t i) const {
    return node_of_[ast_->args_of(expr)[i].index];
  }

  // A constant over a domain has the instances that other operands deliver, where there are any:
  // who else is in the domain does not count (spec dialects.md §4.3).
  NodeId operand(const Expr& expr, size_t i) {
    const NodeId node = argument(expr, i);
    if (!same_for_all(node)) return node;
    for (size_t k = 0; k < expr.arg_count; ++k) {
      const NodeId other = argument(expr, k);
      if (other.known() && !same_for_all(other) && domain_of(other) != kNullId) {
        return of_one(node);
      }
    }
    return node;
  }

  InDomId domain_of(NodeId id) const { return ir_.type_of(id).axes.domain; }

  // Over a domain, and made of constants lane by lane.
  bool same_for_all(NodeId id) {
    if (!id.known() || domain_of(id) == kNullId) return false;
    while (same_for_all_.size() < ir_.nodes.size()) {
      const NodeId next{{static_cast<uint32_t>(same_for_all_.size())}};
      const Op op = ir_.nodes[next].op;
      const Shape shape = info(op).shape;
      const bool by_lane = shape == Shape::lanes || shape == Shape::cast || shape == Shape::meet;
      same_for_all_.push_back(op == Op::spread || op == Op::constant ||
                              (by_lane && std::ranges::all_of(ir_.args_of(next), [&](NodeId arg) {
                                 return same_for_all_[arg.index];
                               })));
    }
    return same_for_all_[id.index];
  }

  // The same without the domain.
  NodeId of_one(NodeId id) {
    if (domain_of(id) == kNullId) return id;
    if (ir_.nodes[id].op == Op::meet) return of_one(ir_.args_of(id)[0]);
    std::vector<NodeId> args;
    for (size_t i = 0; i < ir_.args_of(id).size(); ++i) {
      args.push_back(of_one(ir_.args_of(id)[i]));
    }
    Node node = ir_.nodes[id];
    if (node.op == Op::spread) node.op = Op::constant;
    Type type = ir_.type_of(id);
    type.axes = Axes{};
    node.type_id = ir_.intern(type);
    return ir_.add(node, args);
  }

  NodeId add(Op op, const Checked& checked, const Expr& expr, std::initializer_list<NodeId> args) {
    return ir_.add(Node{.op = op, .type_id = ir_.intern(checked.type), .where = expr.op_span},
                   args);
  }

  NodeId pick(const Expr& expr, const Checked& checked) {
    Checked picked = checked;
    picked.type.elem = checked.want[1].elem;
    const NodeId made =
        add(Op::pick, picked, expr,
            {wanted(expr, checked, 0), wanted(expr, checked, 1), wanted(expr, checked, 2)});
    return checked.type.elem == Elem::text ? add(Op::decode, checked, expr, {made}) : made;
  }

  NodeId literal(const Expr& expr, const Checked& checked) {
    const char* end = expr.text.data() + expr.text.size();
    uint64_t bits = 0;
    if (checked.type.elem == Elem::f64) {
      double value = 0;
      std::from_chars(expr.text.data(), end, value);
      bits = bits_of(value);
    } else {
      std::from_chars(expr.text.data(), end, bits);
    }
    return ir_.add(Node{.op = Op::constant,
                        .type_id = ir_.intern(checked.type),
                        .payload = bits,
                        .where = expr.span},
                   {});
  }

  // One fetch an operand, whatever names its metric has; its type is the recorded one.
  NodeId name(const Expr& expr, const Checked& checked) {
    if (checked.refers == Checked::Refers::definition) return root_of_[checked.definition];
    if (checked.refers == Checked::Refers::compatible) return derived(expr, checked);
    const OperandId id = operand_of({.metric = expr.text, .desc = checked.desc}, as_pcp_);
    auto [it, is_new] = fetches_.try_emplace(id.index, NodeId{});
    if (!is_new) return it->second;
    Type type = checked.type;
    type.elem = *elem_from_pm(checked.desc.pm_type);
    it->second = ir_.add(
        Node{.op = Op::fetch, .type_id = ir_.intern(type), .payload = id.index, .where = expr.span},
        {});
    return it->second;
  }

  // Where only recorded values are seen all dialects share them. One that is named with its host
  // (merge_hosts.h) is apart.
  OperandId operand_of(Operand operand, bool as_pcp) {
    if (as_pcp && options_.on_grid) operand.between = Between::as_pcp;
    const bool named = operand.metric.contains(':');
    auto [it, is_new] =
        operands_.try_emplace({operand.desc.pmid, operand.between, named}, OperandId{});
    if (is_new) it->second = ir_.operands.add(operand);
    return it->second;
  }

  // One node a metric: its history is its own.
  NodeId derived(const Expr& expr, const Checked& checked) {
    auto [it, is_new] = derived_.try_emplace(checked.definition, NodeId{});
    if (!is_new) return it->second;
    const CompatibleMetric& metric = sema_.compatible().at(checked.definition);
    DerivedExpression made{.name = metric.name,
                           .dialect = metric.dialect,
                           .text = metric.text,
                           .operands = {},
                           .body = checked.definition};
    for (const Operand& operand : metric.operands)
      made.operands.push_back(operand_of(operand, true));
    Type type = checked.type;
    type.elem = *elem_from_pm(metric.desc.pm_type);
    it->second = ir_.add(Node{.op = Op::derived,
                              .type_id = ir_.intern(type),
                              .payload = ir_.derived.size(),
                              .where = expr.span},
                         {});
    ir_.derived.push_back(std::move(made));
    return it->second;
  }

  NodeId with_text(Op op, const Expr& expr, const Checked& checked, const std::string& text) {
    const auto index = static_cast<uint64_t>(ir_.texts.size());
    ir_.texts.push_back(text);
    const NodeId from = operand(expr, 0);
    Type type = checked.type;
    if (info(op).type == TypeRule::same) type.elem = ir_.type_of(from).elem;
    return ir_.add(
        Node{.op = op, .type_id = ir_.intern(type), .payload = index, .where = expr.op_span},
        {from});
  }

  // The same number with other metadata, for all instances of a domain if it has one; an integer
  // may become a real number.
  NodeId relabel(NodeId from, const Checked& checked) {
    Node node = ir_.nodes[from];
    check(node.op == Op::constant, "mkconst() of a number");
    if (checked.type.elem == Elem::f64 && ir_.type_of(from).elem != Elem::f64) {
      node.payload = bits_of(static_cast<double>(node.payload));
    }
    if (checked.type.axes.domain != kNullId) node.op = Op::spread;
    node.type_id = ir_.intern(checked.type);
    return ir_.add(node, {});
  }

  NodeId defined(const Expr& expr, const Checked& checked) {
    return ir_.add(Node{.op = Op::constant,
                        .type_id = ir_.intern(checked.type),
                        .payload = checked.number == 1 ? uint64_t{1} : uint64_t{0},
                        .where = expr.op_span},
                   {});
  }

  NodeId call(const Expr& expr, const Checked& checked) {
    if (expr.text == "defined") return defined(expr, checked);
    if (expr.text == kAtLeastOf) return share(expr, checked);
    if (const auto over = hosts_op(expr.text)) return over_hosts(expr, checked, *over);
    const Op op = *function_op(expr.text);
    const Shape shape = info(op).shape;
    const bool one_value = ir_.type_of(operand(expr, 0)).axes.domain == kNullId;
    if ((op == Op::scalar && one_value) || (op == Op::known && checked.constant)) {
      return operand(expr, 0);  // one value, or known, already
    }
    if (shape == Shape::roster || shape == Shape::filter || shape == Shape::cast ||
        info(op).type == TypeRule::count) {
      const NodeId from = operand(expr, 0);
      Type type = checked.type;
      if (info(op).type == TypeRule::same) type.elem = ir_.type_of(from).elem;
      return ir_.add(Node{.op = op, .type_id = ir_.intern(type), .where = expr.op_span}, {from});
    }
    if (shape == Shape::past) return past(expr, checked, op);
    if (op == Op::equals) return with_text(op, expr, checked, ast_->specs_of(expr)[0].value);
    const NodeId made = add(op, checked, expr, {wanted(expr, checked, 0)});
    if (op == Op::at_least) ir_.nodes[made].payload = percent(expr);
    return made;
  }

  // Of one host; the driver puts the other hosts beside it (merge_hosts.h).
  NodeId over_hosts(const Expr& expr, const Checked& checked, Op op) {
    const bool counts = info(op).type == TypeRule::count;
    NodeId from = counts ? operand(expr, 0) : wanted(expr, checked, 0);
    from = met(from, checked.type.axes.domain, expr.op_span);
    Type type = ir_.type_of(from);
    type.axes.host_set = kAllHosts;
    const NodeId hosts = ir_.add(
        Node{.op = Op::hosts, .type_id = ir_.intern(type), .payload = 1, .where = expr.op_span},
        {from});
    hosts_.push_back({.node = hosts, .expr = index_, .at = at_});
    const NodeId made = add(op, checked, expr, {hosts});
    if (op == Op::at_least) ir_.nodes[made].payload = percent(expr);
    return made;
  }

  NodeId share(const Expr& expr, const Checked& checked) {
    std::vector<NodeId> truths;
    for (size_t i = 0; i < expr.arg_count; ++i) truths.push_back(operand(expr, i));
    const Node made{.type_id = ir_.intern(checked.type), .where = expr.op_span};
    return at_least_of(ir_, truths, percent(expr), made);
  }

  // `50 %_inst` of a rule: its reader takes 0 to 100 alone.
  uint64_t percent(const Expr& expr) const {
    return std::strtoull(ast_->specs_of(expr)[0].value.c_str(), nullptr, 10);
  }

  // The history of a narrow counter keeps its width, for that is where it wraps.
  NodeId past(const Expr& expr, const Checked& checked, Op op) {
    NodeId from = operand(expr, 0);
    const Type& operand_type = ir_.type_of(from);
    if (op == Op::earlier) return kept(expr, checked, from);
    if (operand_type.elem == Elem::f32) from = to_elem(from, Elem::f64, expr.span);
    const Units units = ir_.type_of(from).units;
    Node node{.op = op,
              .type_id = ir_.intern(checked.type),
              .payload = options_.counter_wrap && payload_of(op) == Payload::wrap ? uint64_t{1} : 0,
              .where = expr.op_span};
    const NodeId made = ir_.add(node, {from});
    if (info(op).units != UnitsRule::per_time || units.dim_time == 0) return made;
    // The rate counts units of the operand's time scale a second.
    const Units second{.dim_time = units.dim_time, .scale_time = kTimeScaleSec};
    const Units scale{.dim_time = units.dim_time, .scale_time = units.scale_time};
    const auto factor = scale_factor(scale, second);
    check(factor.has_value(), "sema looked for the factor");
    return apply_factor(made, *factor, checked.type, expr.op_span);
  }

  // As it is stored, for a history above it.
  NodeId kept(const Expr& expr, const Checked& checked, NodeId from) {
    Type type = checked.type;
    type.elem = ir_.type_of(from).elem;
    return ir_.add(Node{.op = Op::earlier, .type_id = ir_.intern(type), .where = expr.op_span},
                   {from});
  }

  // Instances of an equivalent domain become those of this one.
  NodeId met(NodeId node, InDomId domain, Span where) {
    Type type = ir_.type_of(node);
    if (type.axes.domain == kNullId || type.axes.domain == domain) return node;
    type.axes.domain = domain;
    return ir_.add(Node{.op = Op::meet, .type_id = ir_.intern(type), .where = where}, {node});
  }

  NodeId wanted(const Expr& expr, const Checked& checked, size_t i) {
    const Type& want = checked.want[i];
    NodeId node = operand(expr, i);
    if (ir_.nodes[node].op == Op::novalue) {  // of the other arm's kind
      const Type kind{.elem = want.elem, .semantics = want.semantics, .units = want.units};
      return ir_.add(Node{.op = Op::novalue, .type_id = ir_.intern(kind), .where = expr.span}, {});
    }
    node = met(node, want.axes.domain, expr.op_span);
    const Units from = ir_.type_of(node).units;
    if (const auto shift = scale_shift(from, want.units)) {
      node = shifted(to_elem(node, Elem::f64, expr.span), *shift, want.units, expr.span);
    } else if (from != want.units) {
      const auto factor = scale_factor(from, want.units);
      check(factor.has_value(), "sema looked for the factor");
      const bool whole = factor->den == 1 && want.elem != Elem::f64;
      node = to_elem(node, whole ? computed(ir_.type_of(node).elem) : Elem::f64, expr.span);
      Type type = ir_.type_of(node);
      type.units = want.units;
      node = apply_factor(node, *factor, type, expr.span);
    }
    return to_elem(node, want.elem, expr.span);
  }

  // Between count and no unit only the label changes.
  NodeId rescaled(const Expr& expr, const Checked& checked) {
    const NodeId node = wanted(expr, checked, 0);
    if (ir_.type_of(node).units == checked.type.units) return node;
    const bool real = checked.type.elem == Elem::f64;
    return ir_.add(Node{.op = Op::scale_up,
                        .type_id = ir_.intern(checked.type),
                        .payload = real ? bits_of(1.0) : uint64_t{1},
                        .where = expr.op_span},
                   {node});
  }

  // In the order in which libpcp 7 does it: with the same bits.
  NodeId shifted(NodeId node, const TemperatureShift& by, Units units, Span where) {
    const ScaleFactor factor{.num = by.num, .den = by.den};
    const Type from = ir_.type_of(node);
    Type to = from;
    to.units = units;
    const bool relabelled = factor.num == 1 && factor.den == 1;  // by a sum: no factor does it
    node = plus(node, by.before, relabelled ? to : from, where);
    node = apply_factor(node, factor, to, where);
    return plus(node, by.after, to, where);
  }

  NodeId plus(NodeId node, double number, Type type, Span where) {
    if (number == 0) return node;
    const TypeId type_id = ir_.intern(type);
    type.axes = Axes{};
    const NodeId constant = ir_.add(Node{.op = Op::constant,
                                         .type_id = ir_.intern(type),
                                         .payload = bits_of(number),
                                         .where = where},
                                    {});
    return ir_.add(Node{.op = Op::add, .type_id = type_id, .where = where}, {node, constant});
  }

  static Elem computed(Elem elem) {
    if (is_float(elem)) return Elem::f64;
    return elem == Elem::u64 ? Elem::u64 : Elem::i64;
  }

  NodeId apply_factor(NodeId node, ScaleFactor factor, const Type& type, Span where) {
    const TypeId type_id = ir_.intern(type);
    if (factor.num != 1) {
      const bool real = type.elem == Elem::f64;
      const uint64_t bits = real ? bits_of(static_cast<double>(factor.num)) : factor.num;
      node = ir_.add(Node{.op = Op::scale_up, .type_id = type_id, .payload = bits, .where = where},
                     {node});
    }
    if (factor.den != 1) {
      node = ir_.add(Node{.op = Op::scale_down,
                          .type_id = type_id,
                          .payload = bits_of(static_cast<double>(factor.den)),
                          .where = where},
                     {node});
    }
    return node;
  }

  NodeId to_elem(NodeId node, Elem elem, Span where) {
    Type type = ir_.type_of(node);
    if (type.elem == elem) return node;
    const Elem from = type.elem;
    type.elem = elem;
    const TypeId type_id = ir_.intern(type);
    if (elem == Elem::i64 && from == Elem::u64) {  // exact, or absent: 0 + x
      Type zero = type;
      zero.axes = Axes{};
      const NodeId nothing =
          ir_.add(Node{.op = Op::constant, .type_id = ir_.intern(zero), .where = where}, {});
      return ir_.add(Node{.op = Op::add, .type_id = type_id, .where = where}, {nothing, node});
    }
    Op op = elem == Elem::i64 ? Op::to_i64 : Op::to_f64;
    if (from == Elem::text) op = Op::encode;
    return ir_.add(Node{.op = op, .type_id = type_id, .where = where}, {node});
  }

  const Sema& sema_;
  const LowerOptions& options_;
  Ir ir_;
  const Ast* ast_ = nullptr;
  std::vector<bool> same_for_all_;  // of a node; constants are, too
  std::vector<NodeId> node_of_;     // of the expression at hand
  std::vector<NodeId> root_of_;     // of each expression
  bool as_pcp_ = false;
  uint32_t index_ = 0;  // of the expression at hand, and where in it
  ExprId at_{};
  std::vector<HostsNode> hosts_;
  std::unordered_map<uint32_t, NodeId> fetches_;  // of an operand
  std::map<std::tuple<PmId, Between, bool>, OperandId> operands_;
  std::unordered_map<uint32_t, NodeId> derived_;
};

}  // namespace

Lowered lower(const Sema& sema, std::span<const uint32_t> roots, const LowerOptions& options) {
  return Lowering(sema, options).run(roots);
}

}  // namespace pmjit
