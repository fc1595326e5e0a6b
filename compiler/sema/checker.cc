#include "compiler/sema/checker.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "compiler/ast/words.h"
#include "compiler/ir/types.h"
#include "compiler/sema/names.h"
#include "compiler/sema/unit_rules.h"
#include "runtime/base/near.h"
#include "runtime/model/name_parts.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

std::optional<Op> function_op(std::string_view name) {
  const auto ops = all_ops();
  for (size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].arity == 1 && ops[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

std::optional<Op> hosts_op(std::string_view name) {
  constexpr std::string_view kOverHosts = "_host";
  if (!name.ends_with(kOverHosts)) return std::nullopt;
  name.remove_suffix(kOverHosts.size());
  const auto op = function_op(name);
  return op && info(*op).shape == Shape::reduce ? op : std::nullopt;
}

std::vector<Checked> Checker::run() {
  find_unread();
  for (uint32_t i = 0; i < ast_.exprs.size(); ++i) {
    const Expr& expr = ast_.exprs[ExprId{{i}}];
    if (unread_[i]) {
      out_[i].unread = true;
      continue;
    }
    bool sound = true;
    for (size_t k = 0; k < expr.arg_count; ++k) sound = sound && !arg(expr, k).failed;
    out_[i] = sound ? check_expr(expr) : failed();
  }
  return std::move(out_);
}

Checked Checker::check_expr(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::integer: return check_integer(expr);
    case ExprKind::real: return check_real(expr);
    case ExprKind::name: return check_name(expr);
    case ExprKind::unary: return check_unary(expr);
    case ExprKind::binary: return with_met(expr, check_binary(expr));
    case ExprKind::ternary: return with_met(expr, check_ternary(expr));
    case ExprKind::instance: return check_instance(expr);
    case ExprKind::call: return check_call(expr);
    case ExprKind::rescale: return check_rescale(expr);
    case ExprKind::mkconst: return check_mkconst(expr);
    case ExprKind::matchinst: return check_matchinst(expr);
    case ExprKind::novalue: return check_novalue(expr);
    case ExprKind::parameter: break;  // values stand in its place
  }
  return failed();
}

// Literals are exact: int where 2^63 − 1 holds it, else uint (rows 9, 10).
Checked Checker::check_integer(const Expr& expr) {
  const uint64_t value = integer_of(expr);
  Checked out{.constant = true, .bare = true, .number = static_cast<double>(value)};
  out.type.elem = value <= INT64_MAX ? Elem::i64 : Elem::u64;
  out.type.semantics = Semantics::discrete;
  return out;
}

uint64_t Checker::integer_of(const Expr& expr) {
  uint64_t value = 0;
  const char* end = expr.text.data() + expr.text.size();
  check(std::from_chars(expr.text.data(), end, value).ec == std::errc(),
        "the parser refuses larger integers");
  return value;
}

Checked Checker::check_real(const Expr& expr) {
  double value = 0;
  const char* end = expr.text.data() + expr.text.size();
  if (std::from_chars(expr.text.data(), end, value).ec != std::errc()) {
    diags_.add(DiagCode::P_BadNumber, expr.span, expr.text)
        .help("a real is between 2.2e-308 and 1.8e308 in size, or 0");
    return failed();
  }
  Checked out{.constant = true, .bare = true, .number = value};
  out.type.elem = Elem::f64;
  out.type.semantics = Semantics::discrete;
  return out;
}

Checked Checker::check_name(const Expr& expr) {
  // A real metric would hide a definition in every other dialect: check_one refuses such a
  // definition.
  if (auto index = sema_.definition(expr.text)) {
    const Checked& used = sema_.root(*index);
    if (used.failed) return failed();
    Checked out = used;
    out.refers = Checked::Refers::definition;
    out.definition = *index;
    out.instance.clear();
    out.want = {};
    return out;
  }
  const auto desc = sema_.catalog().describe(expr.text);
  if (desc) return check_metric(expr, *desc);
  const CompatibleMetric* metric = sema_.compatible().find(expr.text);
  if (metric != nullptr) return check_compatible(expr, *metric);
  if (desc.error().fault() != Fault::not_found) return not_answered(expr, desc.error());
  return unknown_name(expr.text, expr.span, desc.error().help());
}

// The source has said nothing of the name: no others are asked for, which may take as long again.
Checked Checker::not_answered(const Expr& expr, const Error& why) {
  Diag& diag = diags_.add(DiagCode::S_NoSuchMetric, expr.span,
                          fmt::format("{}: {}{}{}", expr.text, why.place(),
                                      why.place().empty() ? "" : ": ", why.what()));
  if (!why.help().empty()) diag.help(why.help());
  return failed();
}

Checked Checker::check_compatible(const Expr& expr, const CompatibleMetric& metric) {
  if (metric.body == nullptr) {
    Diag& diag = diags_.add(DiagCode::S_Unusable, expr.span, expr.text, metric.why_not);
    if (!metric.place.empty()) {
      diag.help(fmt::format("{} defines it: {} = {}", metric.place, metric.name, metric.text));
    }
    if (!metric.way_out.empty()) diag.help(metric.way_out);
    if (!metric.missing.empty()) {
      diag.message =
          fmt::format("there is no metric {}, so {} has no values", metric.missing, metric.name);
      const std::string near = near_names_text(sema_.near_metrics(metric.missing));
      if (!near.empty()) diag.help(near);
    }
    return failed();
  }
  Checked out = check_metric(expr, metric.desc);
  out.refers = Checked::Refers::compatible;
  out.definition = sema_.compatible().number(metric);
  out.constant = metric.operands.empty();
  return out;
}

namespace {

// What a metric without numbers holds.
std::string no_number_text(const Desc& desc) {
  if (elem_from_pm(desc.pm_type)) return "AGGREGATE";
  return is_event_type(desc.pm_type) ? "EVENT"
                                     : fmt::format("{}, which PCP does not have", desc.pm_type);
}

}  // namespace

Checked Checker::check_metric(const Expr& expr, const Desc& desc) {
  const auto elem = elem_from_pm(desc.pm_type);
  if (!elem || *elem == Elem::bytes) {
    diags_.add(DiagCode::D_NoNumbers, expr.span, expr.text, no_number_text(desc))
        .help("expressions work on numbers");
    return failed();
  }
  Checked out{.refers = Checked::Refers::metric, .desc = desc};
  out.type.elem = is_float(*elem) ? Elem::f64 : (*elem == Elem::u64 ? Elem::u64 : Elem::i64);
  if (*elem == Elem::text) out.type.elem = Elem::text;
  out.type.semantics = desc.semantics;
  out.type.units = desc.units;
  out.type.axes.domain = desc.indom;
  return out;
}

// More expressions are a file, in which each unknown name would look at all.
constexpr size_t kBesideMax = 64;

Checked Checker::unknown_name(const std::string& name, Span where, const std::string& help) {
  Diag& diag = diags_.add(DiagCode::S_NoSuchMetric, where, "unknown metric name " + name);
  if (const auto below = sema_.catalog().leaves(name); !below.empty()) {
    constexpr size_t kShownMax = 4;
    const auto shown = std::span(below).first(std::min(kShownMax, below.size()));
    diag.message = fmt::format("{} is not a metric but the beginning of several names", name);
    diag.help(fmt::format("name one of {}{}", fmt::join(shown, ", "),
                          shown.size() < below.size() ? ", …" : ""));
    return failed();
  }
  constexpr std::string_view kFunctions[] = {"rate", "delta", "instant", "sum",
                                             "avg",  "min",   "max",     "count"};
  if (std::ranges::find(kFunctions, name) != std::end(kFunctions)) {
    diag.help(fmt::format("{0} is a function: write '{0}(METRIC)', all in quotes", name));
    return failed();
  }
  // Words of pmie's rules.
  constexpr std::string_view kInst = "_inst";
  if (const std::string_view word = name; word.ends_with(kInst)) {
    const std::string function(word.substr(0, word.size() - kInst.size()));
    if (std::ranges::find(kFunctions, function) != std::end(kFunctions)) {
      diag.help(fmt::format("{} is a word of rules; an expression has {}(METRIC), all in quotes",
                            name, function));
      return failed();
    }
  }
  if (is_null_word(name)) {
    diag.message = fmt::format("{} is read as a metric, and there is none", name);
    diag.help("known(x) is true where x has a value, and ! known(x) where it has none");
    return failed();
  }
  if (const std::string of = metric_with_instance(name); !of.empty()) {
    diag.message = fmt::format("{} is not a metric but an instance of {}", name, of);
    diag.help(fmt::format("write {}[{}], or -i {}", of, name, name));
    return failed();
  }
  if (parse_units(name, ExtraUnits::ignored)) {
    diag.help(
        fmt::format("{0} is a unit: rate(x) is per second, and mkconst(5, units=\"{0}\") is a "
                    "number with it",
                    name));
    return failed();
  }
  if (const std::string meant = instance_meant(name, sema_.catalog()); !meant.empty()) {
    diag.help(meant);
    return failed();
  }
  const std::string near = near_names_text(sema_.near_metrics(name));
  if (!near.empty()) diag.label(where, near);
  const bool is_part = near.empty() && sema_.exprs().size() <= kBesideMax;
  const auto within = is_part ? names_with_part(sema_.catalog(), name) : std::vector<std::string>();
  if (!within.empty()) diag.label(where, near_names_text(within));
  const bool lists = near.empty() && within.empty() && help.empty();
  if (lists) diag.help("`pmjit info ARCHIVE` or `pmjit info -h HOST` shows what there is");
  if (!help.empty()) diag.help(help);
  return failed();
}

// Of the metrics that are named beside it. "": none has such an instance.
std::string Checker::metric_with_instance(const std::string& name) const {
  if (sema_.exprs().size() > kBesideMax) return {};
  for (const NamedExpr& one : sema_.exprs()) {
    if (one.ast == nullptr || !one.name.empty()) continue;
    for (const Expr& expr : one.ast->exprs) {
      if (expr.kind != ExprKind::name) continue;
      const auto desc = sema_.catalog().describe(expr.text);
      if (!desc || desc->indom == kNullId) continue;
      const auto all = sema_.catalog().instances(desc->indom);
      if (std::ranges::find(all, name, &Catalog::Instance::name) != all.end()) return expr.text;
    }
  }
  return {};
}

Checked Checker::check_rescale(const Expr& expr) {
  if (!needs_number(expr, 0)) return failed();
  const Checked& operand = arg(expr, 0);
  const auto to = read_units(expr.text_span, expr.text);
  if (!to) return failed();
  if (!same_dimensions(operand.type.units, *to)) {
    diags_
        .add(DiagCode::D_AddDimensions, expr.op_span, units_name(operand.type.units),
             units_name(*to))
        .label(arg_expr(expr, 0).span, "this is " + units_name(operand.type.units))
        .help("rescale() changes scales, not dimensions");
    return failed();
  }
  if (!has_scales_between(expr, 0, *to)) return failed();
  Checked out = operand;
  out.refers = Checked::Refers::nothing;
  out.bare = false;
  out.number.reset();
  out.type.units = *to;
  out.type.elem = scaled_elem(operand.type.elem, operand.type.units, *to);
  out.want[0] = out.type;
  return out;
}

Checked Checker::check_call(const Expr& expr) {
  if (expr.text == "defined") return check_defined(expr);
  if (expr.text == kAtLeastOf) return check_share(expr);
  if (const auto op = hosts_op(expr.text)) return check_over_hosts(expr, *op);
  const auto function = function_op(expr.text);
  check(function.has_value(), "the parser refuses other functions");
  const OpInfo& op = info(*function);
  if (op.shape == Shape::reduce) return check_reduce(expr, *function);
  if (op.shape == Shape::past) return check_past(expr, *function);
  if (*function == Op::equals) return check_literal(expr);
  Checked out = arg(expr, 0);
  if (op.shape == Shape::cast && out.type.elem == Elem::text) return refuse_text(expr, 0), failed();
  out.refers = Checked::Refers::nothing;
  if (op.shape == Shape::roster) {
    out.type.axes.domain = kNullId;
    out.met.clear();
  }
  if (*function == Op::instant && out.type.semantics == Semantics::counter) {
    out.type.semantics = Semantics::instant;
  }
  out.bare = false;
  return out;
}

Checked Checker::check_reduce(const Expr& expr, Op op) {
  const Checked& operand = arg(expr, 0);
  const bool counts = info(op).type == TypeRule::count;
  const bool judges = info(op).absence == Absence::judged;
  if (judges && !needs_truth(expr, 0, DiagCode::D_NumberAsTruth)) return failed();
  if (!counts && !judges && (!needs_number(expr, 0) || !no_counter(expr, 0))) return failed();
  if (operand.constant && operand.type.axes.domain == kNullId) {
    diags_.add(DiagCode::S_ReduceNothing, expr.op_span, expr.text)
        .label(arg_expr(expr, 0).span, "no metric in here")
        .help("leave " + expr.text + "() away");
    return failed();
  }
  Checked out{.constant = operand.constant, .amount = operand.amount || op == Op::sum};
  const auto elem = result_elem(op, std::array{operand.type.elem});
  check(elem.has_value(), "reductions take every number type");
  out.type = Type{.elem = *elem, .semantics = Semantics::instant, .units = operand.type.units};
  if (counts) out.type.units = Units{.dim_count = 1};
  out.want[0] = operand.type;
  return out;
}

// Instances stay: those of a name on every host that has them.
Checked Checker::check_over_hosts(const Expr& expr, Op op) {
  const Checked& operand = arg(expr, 0);
  if (operand.constant) {
    diags_.add(DiagCode::S_ReduceNothing, expr.op_span, expr.text)
        .label(arg_expr(expr, 0).span, "no metric in here")
        .help("leave " + expr.text + "() away");
    return failed();
  }
  Checked out = check_reduce(expr, op);
  const InDomId domain = operand.type.axes.domain;
  if (!out.failed) out.type.axes.domain = sema_.catalog().domain_of_all_hosts(domain);
  return out;
}

Checked Checker::check_past(const Expr& expr, Op op) {
  const bool of_truth = info(op).type == TypeRule::logic, keeps = op == Op::earlier;
  if (of_truth && !needs_truth(expr, 0, DiagCode::D_NumberAsTruth)) return failed();
  const bool is_truth = arg(expr, 0).type.elem == Elem::truth;
  if (!of_truth && !(keeps && is_truth) && !needs_number(expr, 0)) return failed();
  const Checked& operand = arg(expr, 0);
  if (operand.constant) {
    diags_.add(DiagCode::S_ConstantHistory, expr.op_span, expr.text)
        .label(arg_expr(expr, 0).span, "no metric in here");
    return failed();
  }
  Checked out{.amount = true, .met = operand.met};
  out.type = operand.type;
  if (keeps) out.amount = operand.amount;
  if (!keeps) out.type.semantics = Semantics::instant;
  out.want[0] = operand.type;
  const auto elem = result_elem(op, std::array{operand.type.elem});
  check(elem.has_value(), "delta and rate take every number type");
  out.type.elem = *elem;
  if (info(op).units != UnitsRule::per_time) return out;
  const auto units = rate_units(operand.type.units);
  if (!units) {
    diags_.add(DiagCode::S_UnitsRange, expr.op_span, "a dimension beyond -8 to 7")
        .label(arg_expr(expr, 0).span, "this is " + units_name(operand.type.units));
    return failed();
  }
  Units seconds = operand.type.units;
  seconds.scale_time = kTimeScaleSec;
  if (operand.type.units.dim_time != 0 && !scale_factor(operand.type.units, seconds)) {
    diags_.add(DiagCode::S_NoFactor, expr.op_span, units_name(operand.type.units), "seconds")
        .help("rescale() it to a time that has a factor");
    return failed();
  }
  out.type.units = *units;
  return out;
}

// Of samples of one truth, which are all of its type.
Checked Checker::check_share(const Expr& expr) {
  for (size_t i = 0; i < expr.arg_count; ++i) {
    if (!needs_truth(expr, i, DiagCode::D_NumberAsTruth)) return failed();
  }
  const Checked& newest = arg(expr, 0);
  return Checked{.type = newest.type, .constant = newest.constant, .met = newest.met};
}

std::optional<Units> Checker::read_units(Span where, const std::string& text) {
  auto parsed = parse_units(text, ExtraUnits::known);
  if (!parsed) {
    diags_.add(DiagCode::P_BadTag, where, "illegal units: " + parsed.error().what())
        .help(near_unit_text(text).empty() ? "for instance \"Kbyte\", \"count / sec\", \"millisec\""
                                           : near_unit_text(text));
    return std::nullopt;
  }
  if (parsed->multiplier != 1) {
    diags_
        .add(DiagCode::P_BadTag, where, "illegal units: a number among units is ignored elsewhere")
        .help("multiply the expression instead");
    return std::nullopt;
  }
  return parsed->units;
}

std::string Checker::written(const Expr& expr, size_t i) const {
  constexpr size_t kShownMax = 60;
  const Expr& argument = arg_expr(expr, i);
  std::string_view text = argument.text;
  // load :'web2' of rules is the name web2:load.
  if (argument.kind != ExprKind::name || text.contains(':')) {
    if (source_ == nullptr) return {};
    text = std::string_view(source_->text)
               .substr(argument.span.begin, argument.span.end - argument.span.begin);
  }
  return text.size() <= kShownMax && !text.contains('\n') ? std::string(text) : std::string();
}

std::string Checker::print_text(const Expr& expr, size_t i) const {
  const std::string text = written(expr, i);
  return text.empty() ? "the expression" : text;
}

}  // namespace pmjit
