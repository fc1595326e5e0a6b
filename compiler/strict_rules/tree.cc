#include "compiler/strict_rules/tree.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <utility>

#include "compiler/ast/substitute.h"
#include "compiler/strict_rules/clock.h"
#include "compiler/strict_rules/samples.h"

namespace pmjit::strict {

// No name of a metric has a colon.
std::optional<MetricOfHost> MetricOfHost::of(std::string_view name) {
  const size_t colon = name.rfind(':');
  if (colon == name.npos) return std::nullopt;
  return MetricOfHost{.host = name.substr(0, colon), .metric = name.substr(colon + 1)};
}

std::vector<std::string> metrics_in(std::span<const Ast* const> asts) {
  std::set<std::string, std::less<>> out;
  for (const Ast* const ast : asts) {
    for (const Expr& expr : ast->exprs) {
      if (expr.kind != ExprKind::name || expr.text.starts_with('$')) continue;
      const auto of_host = MetricOfHost::of(expr.text);
      out.emplace(of_host ? of_host->metric : std::string_view(expr.text));
    }
  }
  return {out.begin(), out.end()};
}

ExprId AstMaker::add(Expr expr, std::vector<ExprId> args) {
  expr.first_arg = static_cast<uint32_t>(ast_.args.size());
  expr.arg_count = static_cast<uint32_t>(args.size());
  uint32_t below = 0;
  for (const ExprId arg : args) below = std::max(below, heights_[arg.index]);
  heights_.push_back(below + 1);
  uint64_t nodes = 1;
  for (const ExprId arg : args) nodes = std::min(nodes + sizes_[arg.index], kNodesMax + 1);
  sizes_.push_back(nodes);
  ast_.args.insert(ast_.args.end(), args.begin(), args.end());
  ast_.root = ast_.exprs.add(std::move(expr));
  return ast_.root;
}

ExprId AstMaker::leaf(ExprKind kind, std::string text, Span span) {
  return add(
      {.kind = kind, .span = span, .op_span = span, .text_span = span, .text = std::move(text)},
      {});
}

ExprId AstMaker::number(std::string text, Span span) {
  uint64_t fits = 0;
  const bool integer =
      is_whole(text) &&
      std::from_chars(text.data(), text.data() + text.size(), fits).ec == std::errc();
  return leaf(integer ? ExprKind::integer : ExprKind::real, std::move(text), span);
}

ExprId AstMaker::unary(Operator op, Span op_span, ExprId operand) {
  return add({.kind = ExprKind::unary,
              .op = op,
              .span = join(op_span, at(operand).span),
              .op_span = op_span},
             {operand});
}

ExprId AstMaker::binary(Operator op, Span op_span, ExprId left, ExprId right) {
  return add({.kind = ExprKind::binary,
              .op = op,
              .span = join(at(left).span, at(right).span),
              .op_span = op_span},
             {left, right});
}

ExprId AstMaker::ternary(Span op_span, ExprId guard, ExprId left, ExprId right) {
  return add({.kind = ExprKind::ternary, .span = join(op_span, at(guard).span), .op_span = op_span},
             {guard, left, right});
}

ExprId AstMaker::call(ExprKind kind, std::string text, Span op_span, std::vector<ExprId> operands,
                      std::vector<Spec> specs) {
  Expr expr{.kind = kind,
            .span = join(op_span, at(operands.front()).span),
            .op_span = op_span,
            .text_span = op_span,
            .text = std::move(text),
            .first_spec = static_cast<uint32_t>(ast_.specs.size()),
            .spec_count = static_cast<uint32_t>(specs.size())};
  for (Spec& spec : specs) ast_.specs.push_back(std::move(spec));
  return add(std::move(expr), std::move(operands));
}

void AstMaker::add_spec(ExprId id, Spec spec) {
  Expr& expr = at(id);
  if (expr.spec_count == 0) expr.first_spec = static_cast<uint32_t>(ast_.specs.size());
  ++expr.spec_count;
  ast_.specs.push_back(std::move(spec));
}

ExprId AstMaker::copy(const Ast& from, ExprId root, std::optional<Span> as) {
  Expr expr = from.exprs[root];
  std::vector<ExprId> args;
  for (const ExprId arg : from.args_of(expr)) args.push_back(copy(from, arg, as));
  const auto specs = from.specs_of(expr);
  expr.first_spec = static_cast<uint32_t>(ast_.specs.size());
  for (Spec spec : specs) {
    if (as) spec.tag_span = spec.value_span = *as;
    ast_.specs.push_back(std::move(spec));
  }
  if (as) expr.span = expr.op_span = expr.text_span = *as;
  return add(std::move(expr), std::move(args));
}

Ast part_of(const Ast& ast, ExprId root) {
  AstMaker out;
  out.copy(ast, root, std::nullopt);
  return out.ast();
}

bool compares_text(const Ast& ast, const Expr& expr) {
  const bool negated = expr.kind == ExprKind::unary && expr.op == Operator::not_;
  const Expr& made = negated ? ast.exprs[ast.args_of(expr)[0]] : expr;
  if (negated && made.parenthesised) return false;
  return made.kind == ExprKind::call && made.text == "equals";
}

namespace {

// `sum` of sum_host; empty: it is not over hosts.
std::string_view over_hosts(const Expr& expr) {
  constexpr std::string_view kOverHosts = "_host";
  const std::string_view name = expr.text;
  if (expr.kind != ExprKind::call || !name.ends_with(kOverHosts)) return {};
  return name.substr(0, name.size() - kOverHosts.size());
}

template <class Question>
bool any_name(const Ast& ast, ExprId root, const Question& question) {
  const Expr& expr = ast.exprs[root];
  if (expr.kind == ExprKind::name) return question(expr.text);
  return std::ranges::any_of(ast.args_of(expr),
                             [&](ExprId arg) { return any_name(ast, arg, question); });
}

}  // namespace

bool is_over_hosts(const Expr& expr) { return !over_hosts(expr).empty(); }

bool has_metric(const Ast& ast, ExprId root) {
  return any_name(ast, root,
                  [](std::string_view name) { return find_clock_variable(name) == nullptr; });
}

bool varies(const Ast& ast, ExprId root) {
  return any_name(ast, root, [](std::string_view) { return true; });
}

bool is_truth(const Expr& expr) {
  switch (expr.op) {
    case Operator::add:
    case Operator::sub:
    case Operator::mul:
    case Operator::div:
    case Operator::neg:
    case Operator::none: return false;
    default: return true;
  }
}

namespace {

bool is_logic(const Expr& expr) {
  return expr.kind == ExprKind::binary && (expr.op == Operator::and_ || expr.op == Operator::or_);
}

// Truths of several samples are one condition.
bool joins(const Expr& expr) { return is_logic(expr) && !is_over_samples(expr); }

bool is_not(const Expr& expr) { return expr.kind == ExprKind::unary && expr.op == Operator::not_; }

bool is_change(const Expr& expr) {
  return expr.kind == ExprKind::call && (expr.text == "rising" || expr.text == "falling");
}

bool is_known(const Expr& expr) { return expr.kind == ExprKind::call && expr.text == "known"; }

bool is_quantifier(const Expr& expr) {
  const std::string_view of_hosts = over_hosts(expr);
  const std::string_view name = of_hosts.empty() ? std::string_view(expr.text) : of_hosts;
  return expr.kind == ExprKind::call && (name == "some" || name == "all" || name == "at_least");
}

// Of samples.
bool is_share(const Expr& expr) { return expr.kind == ExprKind::call && is_over_samples(expr); }

// What is compared first, left before right.
std::optional<ExprId> value_in(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  if (is_logic(expr)) {
    const auto left = value_in(ast, args[0]);
    return left ? left : value_in(ast, args[1]);
  }
  if (expr.kind == ExprKind::call && expr.text == "equals") return args[0];
  if (is_not(expr) || is_change(expr) || is_quantifier(expr) || is_known(expr) ||
      expr.kind == ExprKind::matchinst || is_share(expr)) {
    return value_in(ast, args[0]);
  }
  if (expr.kind != ExprKind::binary) return std::nullopt;
  if (has_metric(ast, args[0])) return args[0];
  return has_metric(ast, args[1]) ? std::optional(args[1]) : std::nullopt;
}

bool is_extreme(const Expr& expr) {
  return expr.kind == ExprKind::call && (expr.text == "max" || expr.text == "min");
}

bool is_extreme_host(const Expr& expr) {
  const std::string_view name = over_hosts(expr);
  return name == "max" || name == "min";
}

// Of `max(x) > 5`: `max(x) > 5 && x == max(x)`.
Ast extreme_of(const Ast& ast, ExprId condition, ExprId extreme) {
  const Span span = ast.exprs[extreme].span;
  AstMaker out;
  const ExprId holds = out.copy(ast, condition, std::nullopt);
  const ExprId all = out.copy(ast, ast.args_of(ast.exprs[extreme])[0], span);
  const ExprId one = out.copy(ast, extreme, span);
  out.binary(Operator::and_, span, holds, out.binary(Operator::eq, span, all, one));
  return out.ast();
}

// Those that a reduction names.
void add_hosts(const Ast& ast, const Expr& expr, std::vector<std::string>& out) {
  for (const Spec& spec : ast.specs_of(expr)) {
    if (spec.tag == "host") out.push_back(spec.value);
  }
}

void find_bindings(const Ast& ast, ExprId id, std::vector<Binding>& out) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  if (joins(expr)) {
    const size_t before = out.size();
    find_bindings(ast, args[0], out);
    if (expr.op == Operator::or_ || out.size() == before) find_bindings(ast, args[1], out);
    return;
  }
  if (!has_metric(ast, id)) return;
  ExprId set = id;
  bool each_host = false;
  std::vector<std::string> hosts;
  while (is_quantifier(ast.exprs[set])) {
    each_host = each_host || is_over_hosts(ast.exprs[set]);
    add_hosts(ast, ast.exprs[set], hosts);
    set = ast.args_of(ast.exprs[set])[0];
  }
  Binding binding{.set = part_of(ast, set), .value = {}, .each_host = each_host, .hosts = hosts};
  if (const auto value = value_in(ast, set)) {
    const Expr& of = ast.exprs[*value];
    binding.value = part_of(ast, *value);
    binding.first_only = is_extreme(of);
    binding.each_host = each_host || is_extreme_host(of);
    add_hosts(ast, of, binding.hosts);
    if (binding.first_only || is_extreme_host(of)) binding.set = extreme_of(ast, set, *value);
  }
  out.push_back(std::move(binding));
}

}  // namespace

std::vector<Binding> bindings_of(const Ast& ast, ExprId condition) {
  std::vector<Binding> out;
  find_bindings(ast, condition, out);
  return out;
}

}  // namespace pmjit::strict
