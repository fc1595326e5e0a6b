// What is known before there are values: constants made by tags, defined(), and a ?: that it
// settles, whose other arm is not looked at.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "compiler/sema/checker.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

struct ConstantType {
  std::string_view name;
  Elem elem;     // that it is computed in
  uint64_t max;  // of an integer constant, which has no sign
};
constexpr ConstantType kTypes[] = {
    {"32", Elem::i64, INT32_MAX},     {"U32", Elem::i64, UINT32_MAX},
    {"64", Elem::i64, INT64_MAX},     {"U64", Elem::u64, UINT64_MAX},
    {"FLOAT", Elem::f64, UINT64_MAX}, {"DOUBLE", Elem::f64, UINT64_MAX},
};

constexpr double kFloatMax = std::numeric_limits<float>::max();

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

// Arguments stand before their users in the store, so both walks are loops.
void Checker::find_unread() {
  const auto count = static_cast<uint32_t>(ast_.exprs.size());
  settled_.resize(count);
  unread_.resize(count);
  for (uint32_t i = 0; i < count; ++i) settled_[i] = settle(ast_.exprs[ExprId{{i}}]);
  for (uint32_t i = count; i-- > 0;) {
    const Expr& expr = ast_.exprs[ExprId{{i}}];
    const auto args = ast_.args_of(expr);
    if (expr.kind == ExprKind::ternary) {
      const auto guard = settled_[args[0].index];
      if (guard) unread_[args[*guard ? 2 : 1].index] = true;
    }
    const bool asks = expr.kind == ExprKind::call && expr.text == "defined";
    for (const ExprId arg : args) unread_[arg.index] = unread_[arg.index] || unread_[i] || asks;
  }
}

// Of a metric that is recorded, or defined in a compatible dialect and usable.
std::optional<Desc> Checker::desc_of(const std::string& name) const {
  if (auto desc = sema_.catalog().describe(name)) return *desc;
  const CompatibleMetric* metric = sema_.compatible().find(name);
  if (metric == nullptr || metric->body == nullptr) return std::nullopt;
  return metric->desc;
}

// Of ! && || over defined(); none: it depends on values.
std::optional<bool> Checker::settle(const Expr& expr) const {
  const auto part = [&](size_t i) { return settled_[ast_.args_of(expr)[i].index]; };
  if (expr.kind == ExprKind::call && expr.text == "defined") {
    const std::string& name = arg_expr(expr, 0).text;
    return sema_.definition(name) || desc_of(name);
  }
  if (expr.kind == ExprKind::unary && expr.op == Operator::not_ && part(0)) return !*part(0);
  if (expr.kind != ExprKind::binary || !part(0) || !part(1)) return std::nullopt;
  if (expr.op == Operator::and_) return *part(0) && *part(1);
  if (expr.op == Operator::or_) return *part(0) || *part(1);
  return std::nullopt;
}

Checked Checker::check_defined(const Expr& expr) {
  Checked out{.constant = true, .number = *settle(expr) ? 1 : 0};
  out.type.elem = Elem::truth;
  out.type.semantics = Semantics::discrete;
  return out;
}

Checked Checker::check_mkconst(const Expr& expr) {
  Checked out = arg(expr, 0);
  out.bare = false;
  out.number.reset();
  return apply_specs(expr, out) ? out : failed();
}

Checked Checker::check_novalue(const Expr& expr) {
  Checked out{.constant = true, .nobody = true};
  out.type.elem = Elem::i64;
  out.type.semantics = Semantics::discrete;
  if (!apply_specs(expr, out)) return failed();
  out.type.axes = Axes{};  // nobody is there, whatever the domain
  return out;
}

// The metadata of a metric first: other tags win over them, whatever the order.
bool Checker::apply_specs(const Expr& expr, Checked& out) {
  const auto specs = ast_.specs_of(expr);
  for (const Spec& spec : specs) {
    if (spec.tag == "meta" && !apply_meta(expr, spec, out)) return false;
  }
  for (const Spec& spec : specs) {
    if (spec.tag == "units") {
      const auto units = read_units(spec.value_span, spec.value);
      if (!units) return false;
      out.type.units = *units;
    } else if (spec.tag == "semantics") {
      const auto semantics = semantics_from_text(lower_case(spec.value));
      check(semantics.has_value(), "the parser looked at the semantics");
      out.type.semantics = *semantics;
    } else if (spec.tag == "type") {
      if (!apply_type(expr, spec, spec.value, out)) return false;
    } else if (spec.tag == "indom" && !apply_domain(spec, out)) {
      return false;
    }
  }
  return true;
}

bool Checker::apply_meta(const Expr& expr, const Spec& spec, Checked& out) {
  Type type;
  if (const auto index = sema_.definition(spec.value)) {
    if (sema_.root(*index).failed) return false;
    type = sema_.root(*index).type;
    type.elem = is_number(type.elem) ? type.elem : Elem::i64;
  } else {
    const auto desc = desc_of(spec.value);
    if (!desc) {
      unknown_name(spec.value, spec.value_span, {});
      return false;
    }
    if (!apply_type(expr, spec, pm_type_text(desc->pm_type), out)) return false;
    type = Type{.elem = out.type.elem, .semantics = desc->semantics, .units = desc->units};
    type.axes.domain = desc->indom;
  }
  out.type = type;
  return true;
}

// A domain of which nothing is known would give a constant that nobody ever has.
bool Checker::apply_domain(const Spec& spec, Checked& out) {
  out.type.axes.domain = indom_from_text(spec.value).value_or(kNullId);
  const InDomId domain = out.type.axes.domain;
  if (domain == kNullId || !sema_.catalog().instances(domain).empty()) return true;
  diags_.add(DiagCode::S_NoInstances, spec.value_span, "domain " + indom_text(domain))
      .help("`pmjit info` names the instance domains; indom=null: one value");
  return false;
}

// An integer may become real, not the other way.
bool Checker::apply_type(const Expr& expr, const Spec& spec, std::string_view name, Checked& out) {
  const auto type = std::ranges::find_if(
      kTypes, [&](const ConstantType& row) { return same_word(row.name, name); });
  bool fits = type != std::end(kTypes);
  if (fits && expr.kind == ExprKind::mkconst) {
    const Expr& number = arg_expr(expr, 0);
    if (number.kind == ExprKind::real) fits = type->elem == Elem::f64;
    if (type->name == "FLOAT") fits = arg(expr, 0).number <= kFloatMax;
    if (number.kind == ExprKind::integer) fits = integer_of(number) <= type->max;
    if (!fits) {
      diags_
          .add(DiagCode::P_BadTag, number.span,
               fmt::format("{} is not a number of type {}", number.text, name))
          .label(spec.value_span, "this type");
      return false;
    }
  }
  if (!fits) {
    diags_.add(DiagCode::D_NoNumbers, spec.value_span, spec.value, name);
    return false;
  }
  out.type.elem = type->elem;
  return true;
}

}  // namespace pmjit
