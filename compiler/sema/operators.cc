// Operators: number types, units and semantics of operands that meet.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/ir/types.h"
#include "compiler/sema/checker.h"
#include "compiler/sema/unit_rules.h"
#include "runtime/text/dimension_text.h"

namespace pmjit {

namespace {

Semantics mixed_semantics(const Checked& a, const Checked& b) {
  const bool discrete =
      a.type.semantics == Semantics::discrete && b.type.semantics == Semantics::discrete;
  return discrete ? Semantics::discrete : Semantics::instant;
}

bool is_counter(const Checked& c) { return c.type.semantics == Semantics::counter; }

bool is_text(const Checked& c) { return c.type.elem == Elem::text; }

std::string_view kind_of(const Checked& c) {
  if (is_text(c)) return "a text";
  return c.type.elem == Elem::truth ? "a truth" : "a number";
}

// Kernels know texts by numbers (Op::encode).
Type encoded(Type type) {
  type.elem = type.elem == Elem::text ? Elem::i64 : type.elem;
  return type;
}

constexpr std::string_view kBeyond = "a dimension beyond -8 to 7",
                           kTwoExtra = "two of temperature, voltage, current and power";

bool two_extra(const Checked& a, const Checked& b) {
  return !a.type.units.extra.none() && !b.type.units.extra.none();
}

double folded(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    default: return a / b;
  }
}

}  // namespace

// In the order of compiler/ast/operators.def.
Op operator_op(Operator sign) {
  static constexpr Op kOps[] = {Op::add, Op::add,  Op::sub, Op::mul, Op::div,
                                Op::lt,  Op::le,   Op::eq,  Op::ge,  Op::gt,
                                Op::ne,  Op::and_, Op::or_, Op::neg, Op::not_};
  check(sign != Operator::none, "an operator without a sign");
  return kOps[static_cast<size_t>(sign)];
}

std::string units_name(Units units) {
  const std::string text = units_text(units);
  return text.empty() ? "none" : text;
}

Checked Checker::check_unary(const Expr& expr) {
  if (expr.op == Operator::not_) {
    if (!needs_truth(expr, 0, DiagCode::D_NotNeedsTruth)) return failed();
    Checked out = arg(expr, 0);
    out.refers = Checked::Refers::nothing;
    out.want[0] = out.type;
    return out;
  }
  if (!needs_number(expr, 0) || !no_counter(expr, 0)) return failed();
  Checked out = arg(expr, 0);
  out.refers = Checked::Refers::nothing;
  out.want[0] = out.type;
  out.amount = true;
  out.type.elem = *result_elem(Op::neg, std::array{out.type.elem});
  if (out.number) out.number = -*out.number;
  return out;
}

Checked Checker::check_binary(const Expr& expr) {
  const Op op = operator_op(expr.op);
  if (info(op).type == TypeRule::logic) return check_logic(expr);
  if (is_text(arg(expr, 0)) && is_text(arg(expr, 1))) return check_texts(expr, op);
  if (!needs_number(expr, 0) || !needs_number(expr, 1)) return failed();
  InDomId domain = kNullId;
  if (!same_domain(expr, 0, 1, domain)) return failed();
  Checked out = info(op).type == TypeRule::relation ? check_relation(expr, op)
                : op == Op::add || op == Op::sub    ? check_sum(expr, op)
                                                    : check_product(expr, op);
  if (out.failed) return out;
  const Checked &left = arg(expr, 0), &right = arg(expr, 1);
  out.type.axes.domain = domain;
  out.constant = left.constant && right.constant;
  if (left.number && right.number && is_number(out.type.elem)) {
    out.bare = true;
    out.number = folded(op, *left.number, *right.number);
  }
  return out;
}

// + and -: one scale, a counter only with a counter (section 4.5).
Checked Checker::check_sum(const Expr& expr, Op op) {
  const Checked &left = arg(expr, 0), &right = arg(expr, 1);
  if (is_counter(left) != is_counter(right)) {
    const size_t counter = is_counter(left) ? 0 : 1;
    refuse_mixed(expr, counter);
    return failed();
  }
  if (!one_zero(expr, 0, 1)) return failed();
  Checked out{.amount = true};
  Units units;
  if (!common_units(expr, 0, 1, false, DiagCode::D_AddDimensions, out, units)) return failed();
  out.type.elem = *result_elem(op, std::array{out.want[0].elem, out.want[1].elem});
  out.type.units = units;
  out.type.semantics = is_counter(left) ? Semantics::counter : mixed_semantics(left, right);
  return out;
}

// disk.dev.read + 5
void Checker::refuse_mixed(const Expr& expr, size_t counter) {
  const std::string of = written(expr, counter), beside = written(expr, 1 - counter);
  Diag& diag = diags_.add(DiagCode::D_CounterMixed, expr.op_span);
  if (!of.empty()) {
    diag.message = fmt::format("{} is a counter, and {} is not", of,
                               beside.empty() ? "the other side" : beside);
  }
  diag.label(arg_expr(expr, counter).span, "this is a counter")
      .label(arg_expr(expr, 1 - counter).span, "this is not")
      .help("take rate(), delta() or instant() of the counter");
}

// * and /: a counter by a constant only.
Checked Checker::check_product(const Expr& expr, Op op) {
  const Checked &left = arg(expr, 0), &right = arg(expr, 1);
  if (is_counter(right) && (is_counter(left) || op == Op::div))
    return no_counter(expr, 1), failed();
  const bool mixed = (is_counter(left) && !right.constant) || (is_counter(right) && !left.constant);
  if (mixed) {
    diags_.add(DiagCode::D_CounterMixed, expr.op_span)
        .label(arg_expr(expr, is_counter(left) ? 0 : 1).span, "this is a counter")
        .help("a counter may be multiplied by a constant; else take rate(), delta() or instant()");
    return failed();
  }
  if (op == Op::div && right.number == 0.0) {
    diags_.add(DiagCode::D_DivisionByZero, arg_expr(expr, 1).span)
        .help("the result is never a number");
    return failed();
  }
  const auto units = op == Op::mul ? product_units(left.type.units, right.type.units)
                                   : quotient_units(left.type.units, right.type.units);
  if (!units) {
    diags_.add(DiagCode::S_UnitsRange, expr.op_span, two_extra(left, right) ? kTwoExtra : kBeyond)
        .label(arg_expr(expr, 0).span, "this is " + units_name(left.type.units))
        .label(arg_expr(expr, 1).span, "this is " + units_name(right.type.units));
    return failed();
  }
  if (!has_scales_between(expr, 0, units->left) || !has_scales_between(expr, 1, units->right)) {
    return failed();
  }
  Checked out{.amount = true};
  out.want[0] = left.type;
  out.want[1] = right.type;
  out.want[0].units = units->left;
  out.want[1].units = units->right;
  out.want[0].elem = scaled_elem(left.type.elem, left.type.units, units->left);
  out.want[1].elem = scaled_elem(right.type.elem, right.type.units, units->right);
  if (op == Op::div || out.want[0].elem == Elem::f64 || out.want[1].elem == Elem::f64) {
    out.want[0].elem = out.want[1].elem = Elem::f64;
  }
  out.type.elem = *result_elem(op, std::array{out.want[0].elem, out.want[1].elem});
  out.type.units = units->result;
  out.type.semantics =
      is_counter(left) || is_counter(right) ? Semantics::counter : mixed_semantics(left, right);
  return out;
}

Checked Checker::check_relation(const Expr& expr, Op op) {
  if (!no_counter(expr, 0) || !no_counter(expr, 1)) return failed();
  Checked out;
  Units units;
  if (!common_units(expr, 0, 1, true, DiagCode::D_CompareDimensions, out, units)) return failed();
  out.type.elem = *result_elem(op, std::array{out.want[0].elem, out.want[1].elem});
  out.type.semantics = mixed_semantics(arg(expr, 0), arg(expr, 1));
  return out;
}

// Two texts are equal or not; no other operator takes texts (row 65).
Checked Checker::check_texts(const Expr& expr, Op op) {
  if (op != Op::eq && op != Op::ne) return refuse_text(expr, 0), failed();
  const Checked &left = arg(expr, 0), &right = arg(expr, 1);
  Checked out;
  if (!same_domain(expr, 0, 1, out.type.axes.domain)) return failed();
  out.want[0] = encoded(left.type);
  out.want[1] = encoded(right.type);
  out.type.elem = Elem::truth;
  out.type.semantics = mixed_semantics(left, right);
  return out;
}

// Is a text the one that its spec says?
Checked Checker::check_literal(const Expr& expr) {
  const Checked& operand = arg(expr, 0);
  if (!is_text(operand)) {
    Diag& diag = diags_.add(DiagCode::D_TextInArithmetic, ast_.specs_of(expr)[0].value_span);
    const Expr& other = arg_expr(expr, 0);
    if (other.kind == ExprKind::name) {
      diag.message =
          fmt::format("{} is {}, and it is compared with a text", other.text, kind_of(operand));
    }
    diag.label(other.span, fmt::format("this is {}", kind_of(operand)))
        .help("a text is compared with a metric that has texts; a number has no quotes");
    return failed();
  }
  Checked out{.met = operand.met};
  out.want[0] = operand.type;
  out.type = Type{.elem = Elem::truth,
                  .semantics = mixed_semantics(operand, operand),
                  .axes = operand.type.axes};
  return out;
}

Checked Checker::check_logic(const Expr& expr) {
  if (!needs_truth(expr, 0, DiagCode::D_NumberAsTruth) ||
      !needs_truth(expr, 1, DiagCode::D_NumberAsTruth)) {
    return failed();
  }
  Checked out;
  if (!same_domain(expr, 0, 1, out.type.axes.domain)) return failed();
  const Checked &left = arg(expr, 0), &right = arg(expr, 1);
  out.constant = left.constant && right.constant;
  out.type.elem = Elem::truth;
  out.type.semantics = mixed_semantics(left, right);
  out.want[0] = left.type;
  out.want[1] = right.type;
  return out;
}

Checked Checker::check_ternary(const Expr& expr) {
  if (!needs_truth(expr, 0, DiagCode::D_NumberAsTruth)) return failed();
  for (const uint8_t i : {uint8_t{1}, uint8_t{2}}) {
    if (!arg(expr, 3u - i).unread) continue;
    Checked out = arg(expr, i);
    out.refers = Checked::Refers::nothing;
    out.arm = i;
    return out;
  }
  if (arg(expr, 1).nobody) return check_one_arm(expr, 2);
  if (arg(expr, 2).nobody) return check_one_arm(expr, 1);
  return check_arms(expr);
}

// Beside novalue(): its tags are of no use, for the metadata are those of the arm that is there.
Checked Checker::check_one_arm(const Expr& expr, size_t there) {
  const Checked &guard = arg(expr, 0), &value = arg(expr, there);
  if (value.type.elem != Elem::truth && !no_counter(expr, there)) return failed();
  Checked out;
  if (!same_domain(expr, 0, there, out.type.axes.domain)) return failed();
  const InDomId domain = out.type.axes.domain;
  out.type = value.type;
  out.type.axes.domain = domain;
  out.bare = value.bare;
  out.amount = value.amount;
  out.number = value.number;
  out.constant = guard.constant && value.constant;
  out.want = {guard.type, encoded(value.type), encoded(value.type)};
  return out;
}

Checked Checker::check_arms(const Expr& expr) {
  const Checked &guard = arg(expr, 0), &left = arg(expr, 1), &right = arg(expr, 2);
  Checked out;
  InDomId arms = kNullId;
  if (!same_domain(expr, 1, 2, arms)) return failed();
  out.type.axes.domain = guard.type.axes.domain != kNullId ? guard.type.axes.domain : arms;
  for (const size_t arm : {size_t{1}, size_t{2}}) {
    if (!same_domain(expr, 0, arm, arms)) return failed();
  }
  if (kind_of(left) != kind_of(right)) {
    diags_.add(DiagCode::S_ArmsDiffer, expr.op_span, kind_of(left), kind_of(right))
        .help(is_text(left) || is_text(right)
                  ? "both arms are text, or none is"
                  : "write the truth value as a number: (x > y) ? 1 : 0");
    return failed();
  }
  out.type.semantics = mixed_semantics(left, right);
  if (!is_number(left.type.elem)) {
    out.type.elem = left.type.elem;
    out.want = {guard.type, encoded(left.type), encoded(right.type)};
  } else {
    if (!no_counter(expr, 1) || !no_counter(expr, 2)) return failed();
    Units units;
    if (!common_units(expr, 1, 2, false, DiagCode::D_AddDimensions, out, units)) return failed();
    Type &l = out.want[1], &r = out.want[2];
    if (l.elem != r.elem)
      l.elem = r.elem = is_float(l.elem) || is_float(r.elem) ? Elem::f64 : Elem::i64;
    out.want[0] = guard.type;
    out.type.elem = l.elem;
    out.type.units = units;
    out.bare = left.bare && right.bare;
    out.amount = left.amount || right.amount;
  }
  out.constant = guard.constant && left.constant && right.constant;
  return out;
}

bool Checker::needs_number(const Expr& expr, size_t i) {
  if (is_number(arg(expr, i).type.elem)) return true;
  if (is_text(arg(expr, i))) return refuse_text(expr, i), false;
  diags_.add(DiagCode::S_TruthAsNumber, arg_expr(expr, i).span)
      .help("write it as a number: (x > y) ? 1 : 0");
  return false;
}

bool Checker::needs_truth(const Expr& expr, size_t i, DiagCode code) {
  if (arg(expr, i).type.elem == Elem::truth) return true;
  if (is_text(arg(expr, i)) && code == DiagCode::D_NumberAsTruth) {
    return refuse_text(expr, i), false;
  }
  diags_.add(code, arg_expr(expr, i).span).help("compare it: x != 0");
  return false;
}

void Checker::refuse_text(const Expr& expr, size_t i) {
  Diag& diag = diags_.add(DiagCode::D_TextInArithmetic, arg_expr(expr, i).span);
  if (const Expr& text = arg_expr(expr, i); text.kind == ExprKind::name) {
    diag.message = fmt::format("{} is a text, and this needs numbers", text.text);
  }
  diag.help("text is compared with text by == and !=, picked by ?:, selected, counted and printed");
}

namespace {

// What needs the rate of a counter.
std::string user_text(const Expr& expr) {
  if (expr.kind == ExprKind::call) return expr.text + "()";
  if (expr.kind == ExprKind::ternary) return "an arm of ?:";
  if (expr.kind != ExprKind::binary) return "this place";
  if (expr.op >= Operator::lt && expr.op <= Operator::ne) return "a comparison";
  return expr.op == Operator::div ? "a division" : "a product";
}

// The metric of x @0 - x @1 in a rule: the change that rate would make. Null: it is none.
const Expr* changed_metric(const Ast& ast, const Expr& expr) {
  if (expr.kind != ExprKind::binary || expr.op != Operator::sub) return nullptr;
  const auto metric_of = [&](size_t i) {
    const Expr* of = &ast.exprs[ast.args_of(expr)[i]];
    while (of->kind == ExprKind::call && of->text == "earlier") {
      of = &ast.exprs[ast.args_of(*of)[0]];
    }
    return of->kind == ExprKind::name ? of : nullptr;
  };
  const Expr *left = metric_of(0), *right = metric_of(1);
  return left != nullptr && right != nullptr && left->text == right->text ? left : nullptr;
}

}  // namespace

bool Checker::no_counter(const Expr& expr, size_t i) {
  if (!is_counter(arg(expr, i))) return true;
  const Expr& operand = arg_expr(expr, i);
  Diag& diag = diags_.add(DiagCode::D_CounterNeedsRate, operand.span);
  const std::string text = written(expr, i);
  diag.message = fmt::format("{} is a counter, so {} needs its rate", text.empty() ? "this" : text,
                             user_text(expr));
  if (const Expr* const changed = changed_metric(ast_, operand)) {
    diag.help(fmt::format("write rate {}: the change in a second", changed->text));
    return false;
  }
  const bool has_parentheses = operand.parenthesised && text.starts_with('(');
  diag.help(fmt::format("write {}, or delta() for the change since the last value",
                        text.empty()      ? "rate() around it"
                        : has_parentheses ? "rate" + text
                                          : fmt::format("rate({})", text)));
  return false;
}

namespace {

// "this has sda, sdb, …"
std::string instances_text(const Catalog& catalog, InDomId domain) {
  constexpr size_t kShownMax = 3;
  std::vector<std::string> names;
  for (const auto& instance : catalog.instances(domain)) names.push_back(instance.name);
  if (names.empty()) return "this has others";
  const bool more = names.size() > kShownMax;
  if (more) names.resize(kShownMax);
  return fmt::format("this has {}{}", fmt::join(names, ", "), more ? ", …" : "");
}

}  // namespace

bool Checker::same_domain(const Expr& expr, size_t left, size_t right, InDomId& domain) {
  const InDomId a = arg(expr, left).type.axes.domain, b = arg(expr, right).type.axes.domain;
  domain = a != kNullId ? a : b;
  if (a != kNullId && b != kNullId && sema_.of_all_hosts(a, b)) domain = b;
  if (a == kNullId || b == kNullId || sema_.meet(a, b)) return true;
  Diag& diag = diags_.add(DiagCode::D_OtherDomain, expr.op_span, indom_text(a), indom_text(b));
  diag.message = "the two sides have different instances";
  diag.label(arg_expr(expr, left).span, instances_text(sema_.catalog(), a))
      .label(arg_expr(expr, right).span, instances_text(sema_.catalog(), b))
      .help("select one instance, or reduce one side with sum(), avg(), min() or max()");
  return false;
}

// Operands over other domains than the result's meet it.
Checked Checker::with_met(const Expr& expr, Checked out) const {
  if (out.failed) return out;
  for (size_t i = 0; i < expr.arg_count; ++i) {
    const Checked& operand = arg(expr, i);
    const InDomId domain = operand.type.axes.domain;
    if (operand.unread || operand.nobody || domain == kNullId) continue;
    out.want[i].axes.domain = out.type.axes.domain;
    if (domain != out.type.axes.domain) out.met.push_back(domain);
    out.met.insert(out.met.end(), operand.met.begin(), operand.met.end());
  }
  std::ranges::sort(out.met);
  const auto repeated = std::ranges::unique(out.met);
  out.met.erase(repeated.begin(), repeated.end());
  return out;
}

// A bare number takes the unit of the other operand where all dialects agree what that means
// (section 4.4).
bool Checker::bare_fits(const Expr& expr, size_t bare, Units units) {
  const double value = arg(expr, bare).number.value_or(1);
  if (canonical_scales(units) || value == 0 || std::isinf(value)) return true;
  const std::string text = print(ast_, ast_.args_of(expr)[bare]);
  Units canonical = units;
  canonical.scale_space = 0;
  canonical.scale_time = kTimeScaleSec;
  canonical.scale_count = 0;
  Diag& diag = diags_.add(DiagCode::D_BareNumber, arg_expr(expr, bare).span, text,
                          units_name(units), units_name(canonical));
  diag.message =
      fmt::format("{} has no unit, and the other side is in {}", text, units_name(units));
  diag.help(fmt::format("write mkconst({}, units=\"{}\")", text, units_name(units)));
  diag.help(fmt::format("PCP takes it as {} in a definition, and as {} in a rule",
                        units_name(units), units_name(canonical)));
  return false;
}

// A temperature is converted with its zero; a difference of two of them, or so much a second, has
// none, and what a compatible dialect makes of it is wrong (row 67).
bool Checker::has_scales_between(const Expr& expr, size_t i, Units to) {
  const Checked& value = arg(expr, i);
  const Units from = value.type.units;
  const bool shifts = scale_shift(from, to).has_value();
  if (scale_factor(from, to) || (shifts && !value.amount)) return true;
  Diag& diag = diags_.add(DiagCode::S_NoFactor, expr.op_span, units_name(from), units_name(to))
                   .label(arg_expr(expr, i).span, "this is " + units_name(from));
  diag.help(shifts ? "it is a difference of temperatures: rescale() its parts"
                   : "64 bits hold none: rescale() to a scale in between first");
  return false;
}

// What 20 C + 68 F or 20 C - 9 F would be depends on which of them are degrees.
bool Checker::one_zero(const Expr& expr, size_t left, size_t right) {
  const Units a = arg(expr, left).type.units, b = arg(expr, right).type.units;
  if (!scale_shift(a, b)) return true;
  diags_.add(DiagCode::S_NoFactor, expr.op_span, units_name(a), units_name(b))
      .label(arg_expr(expr, left).span, "this is " + units_name(a))
      .label(arg_expr(expr, right).span, "this is " + units_name(b))
      .help("rescale() one of them: their zeros are not the same");
  return false;
}

// 500 Mbyte for 500 sec; "": it is no number with a unit, or nobody knows what is meant.
std::string Checker::constant_meant(const Expr& expr, size_t i, Units units) const {
  const Expr& constant = arg_expr(expr, i);
  const std::string unit = usual_unit(units, arg(expr, i).type.units);
  if (constant.kind != ExprKind::mkconst || unit.empty()) return {};
  const Expr& number = ast_.exprs[ast_.args_of(constant)[0]];
  return fmt::format("did you mean mkconst({}, units=\"{}\")?", number.text, unit);
}

void Checker::refuse_dimensions(const Expr& expr, size_t left, size_t right, DiagCode code) {
  const Units a = arg(expr, left).type.units, b = arg(expr, right).type.units;
  const auto called = [&](size_t i, std::string_view otherwise) {
    const std::string text = written(expr, i);
    return text.empty() ? std::string(otherwise) : text;
  };
  const auto label = [&](size_t i, Units own, Units other) {
    const std::string meant = constant_meant(expr, i, other);
    return meant.empty() ? "this is " + units_name(own) : meant;
  };
  Diag& diag = diags_.add(code, expr.op_span, "", "");
  diag.message = fmt::format("{} is {}, {} is {}", called(left, "the left side"), dimension_text(a),
                             called(right, "the other"), dimension_text(b));
  diag.label(arg_expr(expr, left).span, label(left, a, b))
      .label(arg_expr(expr, right).span, label(right, b, a));
  const auto needs_rate = [&](size_t i, Units own, Units other) {
    const auto rate = arg(expr, i).constant ? std::nullopt : rate_units(own);
    return rate && same_dimensions(*rate, other);
  };
  if (needs_rate(left, a, b)) {
    diag.help(fmt::format("rate() divides by time: rate({})", called(left, "x")));
  } else if (needs_rate(right, b, a)) {
    diag.help(fmt::format("rate() divides by time: rate({})", called(right, "x")));
  } else {
    diag.help(code == DiagCode::D_CompareDimensions
                  ? "only values of one kind are compared"
                  : "only values of one kind are added, subtracted or chosen between");
  }
}

bool Checker::common_units(const Expr& expr, size_t left, size_t right, bool comparing,
                           DiagCode code, Checked& out, Units& units) {
  const Checked &a = arg(expr, left), &b = arg(expr, right);
  Type &want_a = out.want[left], &want_b = out.want[right];
  want_a = a.type;
  want_b = b.type;
  if (a.bare || b.bare) {
    units = a.bare ? b.type.units : a.type.units;
    if (a.bare != b.bare && !bare_fits(expr, a.bare ? left : right, units)) return false;
  } else {
    const auto common = comparing ? comparison_units(a.type.units, b.type.units)
                                  : sum_units(a.type.units, b.type.units);
    if (!common) {
      refuse_dimensions(expr, left, right, code);
      return false;
    }
    if ((a.amount || b.amount) && !one_zero(expr, left, right)) return false;
    units = *common;
    if (!has_scales_between(expr, left, units) || !has_scales_between(expr, right, units)) {
      return false;
    }
    for (Type* want : {&want_a, &want_b}) {
      want->elem = scaled_elem(want->elem, want->units, units);
      want->units = units;
    }
  }
  if (is_float(want_a.elem) || is_float(want_b.elem)) want_a.elem = want_b.elem = Elem::f64;
  return true;
}

}  // namespace pmjit
