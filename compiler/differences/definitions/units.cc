// Units, semantics and kinds of operands that meet (spec dialects.md §8).
#include <algorithm>
#include <cmath>

#include "compiler/compat/definitions/tokens.h"
#include "compiler/differences/definitions/walk.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

bool equal_dims(const Units& a, const Units& b) {
  return a.dim_space == b.dim_space && a.dim_time == b.dim_time && a.dim_count == b.dim_count &&
         a.extra.unit == b.extra.unit;
}

bool only_count(const Units& units) {
  return units.dim_space == 0 && units.dim_time == 0 && units.extra.none() &&
         (units.dim_count == 0 || units.dim_count == 1);
}

// What + and - accept.
bool alike(const Units& a, const Units& b) {
  return equal_dims(a, b) || (only_count(a) && only_count(b));
}

// One dimension of both operands and of what libpcp makes of them.
struct DimensionScales {
  int left, right, left_scale, right_scale, result, result_scale;
  bool right_decides;  // which way the left operand is scaled
};

std::array<DimensionScales, 3> dimensions(const Units& l, const Units& r, const Units& result) {
  return {{{l.dim_space, r.dim_space, l.scale_space, r.scale_space, result.dim_space,
            result.scale_space, true},
           {l.dim_time, r.dim_time, l.scale_time, r.scale_time, result.dim_time, result.scale_time,
            true},
           {l.dim_count, r.dim_count, l.scale_count, r.scale_count, result.dim_count,
            result.scale_count, false}}};
}

bool scales_differ(const Units& l, const Units& r) {
  return std::ranges::any_of(dimensions(l, r, {}), [](const DimensionScales& d) {
    return d.left != 0 && d.right != 0 && d.left_scale != d.right_scale;
  });
}

bool wrong_label(Operator op, const DimensionScales& d) {
  const int sign = op == Operator::mul ? 1 : op == Operator::div ? -1 : 0;
  const int dim = sign == 0 ? d.result : d.left + sign * d.right;
  if (dim != d.result) return true;
  const int scale = d.left == 0    ? d.right_scale
                    : d.right == 0 ? d.left_scale
                                   : std::max(d.left_scale, d.right_scale);
  return dim != 0 && scale != d.result_scale;
}

bool wrong_way(const DimensionScales& d) {
  return d.right_decides && d.left != 0 && d.right != 0 && d.left_scale < d.right_scale &&
         (d.left > 0) != (d.right > 0);
}

bool scaled_once(const DimensionScales& d) {
  if (d.left == 0 || d.right == 0 || d.left_scale == d.right_scale) return false;
  return std::abs(d.left_scale < d.right_scale ? d.left : d.right) > 1;
}

// Scales do not matter.
bool same_in_all_scales(const Facts& facts) {
  return facts.zero() || (facts.range.lo == facts.range.hi && std::isinf(facts.range.lo));
}

bool plain(const Facts& facts) { return facts.bare || (facts.units && facts.units->none()); }

}  // namespace

void UnitRows::run() {
  each([&](const Expr& expr, const Facts& facts) {
    if (relates(expr)) relation(expr);
    if (is_sum(expr)) sum(expr);
    if (is_arithmetic(expr)) scales(expr);
    if ((relates(expr) || decides(expr)) && facts.is(kCounter)) {
      diags_.add_here(DiagCode::D_CounterResult, expr.op_span);
    }
    if (expr.kind == ExprKind::name && facts.types == kNoType) {
      diags_.add_here(DiagCode::D_NoNumbers, expr.span, expr.text);
    }
    counters(expr);
    truth(expr);
    if (picks(expr)) arms(expr);
    if (is_function(expr, "rate")) rate(of(expr, 0).units, expr.op_span);
    if (expr.kind == ExprKind::rescale && of(expr, 0).units) {
      const Units from = *of(expr, 0).units, to = pcp::units_of_tag(expr.text, options_.dialect);
      // The count of a rescale() must be equal to libpcp.
      if (!of(expr, 0).bare && same_dimensions(from, to) && from.dim_count != to.dim_count &&
          !alike(from, to)) {
        diags_.add_here(DiagCode::D_AddDimensions, expr.op_span, "refused");
      }
    }
    extra_units(expr);
  });
  if (!root().extra.none()) tell_unchecked(root_expr().span);
}

void UnitRows::tell_unchecked(Span where) {
  diags_.add_here(DiagCode::D_ExtraUnits, where,
                  "units beyond space, time and count are not checked");
}

// pcp6 does not see them. pcp7 converts whatever is of a temperature like a temperature.
void UnitRows::extra_units(const Expr& expr) {
  const auto meet = [&](size_t i, size_t k) {
    const Facts &a = of(expr, i), &b = of(expr, k);
    if (a.extra != b.extra && !a.bare && !b.bare) tell_unchecked(expr.op_span);
  };
  if (relates(expr) || is_sum(expr)) return meet(0, 1);
  if (picks(expr)) return meet(1, 2);
  if (is_arithmetic(expr)) {
    const ExtraUnit left = of(expr, 0).extra, right = of(expr, 1).extra;
    const bool two = !left.none() && !right.none();
    if (two && (expr.op == Operator::mul || left != right)) tell_unchecked(expr.op_span);
  }
  if (expr.kind != ExprKind::rescale) return;
  const Facts& operand = of(expr, 0);
  if (!operand.extra.none()) return tell_unchecked(expr.op_span);
  if (!operand.units) return;
  const Units from = *operand.units, to = pcp::units_of_tag(expr.text, options_.dialect);
  const bool moves = from.extra.scale != to.extra.scale && temperature_shift(from.extra, to.extra);
  if (moves && (operand.degrees || !from.no_dimension())) {
    diags_.add_here(DiagCode::D_ExtraUnits, expr.op_span,
                    "so many degrees are converted like a temperature");
  }
}

// libpcp has rates of what has no time, or time once.
void UnitRows::rate(const std::optional<Units>& operand, Span where) {
  if (operand && (operand->dim_time == 0 || operand->dim_time == 1)) return;
  diags_.add_here(DiagCode::D_SecondDerivative, where, "is refused here");
}

// A number without a unit meets what has one.
void UnitRows::bare(const Expr& expr, size_t left, size_t right) {
  const Facts &a = of(expr, left), &b = of(expr, right);
  if (a.bare == b.bare) return;
  const size_t number = a.bare ? left : right;
  const Facts &value = a.bare ? a : b, &other = a.bare ? b : a;
  bool differs = !other.units;
  if (other.units && !other.units->none()) {
    const bool excused =
        relates(expr) && (value.types == only(pm_type::u32) || other.types == only(pm_type::u32));
    const bool refused = !excused && !alike(*value.units, *other.units);
    differs = refused || (!canonical_scales(*other.units) && !same_in_all_scales(value));
  }
  if (!differs) return;
  diags_
      .add_here(DiagCode::D_BareNumber, arg(expr, number).span,
                print(ast_, ast_.args_of(expr)[number]))
      .help("write mkconst() with the unit that is meant");
}

void UnitRows::relation(const Expr& expr) {
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  const bool texts = left.has(kTexts) || right.has(kTexts);
  if (texts && (expr.op == Operator::eq || expr.op == Operator::ne)) {
    diags_.add_here(DiagCode::D_TextInArithmetic, expr.op_span, "no comparison of");
  }
  if (left.bare || right.bare) return bare(expr, 0, 1);
  const bool may_be_u32 = left.has(only(pm_type::u32)) || right.has(only(pm_type::u32));
  if (!left.units || !right.units) {
    diags_.add_here(DiagCode::D_ComparesScales, expr.op_span);
    if (may_be_u32) diags_.add_here(DiagCode::D_CompareDimensions, expr.op_span);
    return;
  }
  const bool strict_takes = same_dimensions(*left.units, *right.units);
  const bool here_takes = may_be_u32 || alike(*left.units, *right.units);
  if (strict_takes != here_takes) {
    diags_.add_here(DiagCode::D_CompareDimensions, expr.op_span);
  } else if (here_takes && !same_in_all_scales(left) && !same_in_all_scales(right) &&
             (scales_differ(*left.units, *right.units) ||
              left.units->scale_count != right.units->scale_count)) {
    diags_.add_here(DiagCode::D_ComparesScales, expr.op_span);
  }
}

void UnitRows::sum(const Expr& expr) {
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  if (left.bare || right.bare) return bare(expr, 0, 1);
  constexpr std::string_view kLabel = "the label is that of one operand", kRefused = "refused";
  if (!left.units || !right.units) {
    diags_.add_here(DiagCode::D_AddDimensions, expr.op_span, kLabel);
    return;
  }
  const bool strict_takes = same_dimensions(*left.units, *right.units);
  if (!alike(*left.units, *right.units)) {
    if (strict_takes) diags_.add_here(DiagCode::D_AddDimensions, expr.op_span, kRefused);
    return;
  }
  const Units& base = left.literal ? *right.units : *left.units;
  if (!equal_dims(*left.units, *right.units) && base.none()) {
    diags_.add_here(DiagCode::D_AddDimensions, expr.op_span, kLabel);
  }
}

void UnitRows::scales(const Expr& expr) {
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  const bool product = !is_sum(expr);
  if (!left.units || !right.units) {
    if (plain(left) || plain(right)) return;
    if (left.literal) diags_.add_here(DiagCode::D_WrongLabel, expr.op_span);
    if (product) diags_.add_here(DiagCode::D_WrongWay, expr.op_span);
    if (expr.op == Operator::div) factor_wraps(expr.op_span);  // of the others the values may, too
    diags_.add_here(DiagCode::D_ScaledOnce, expr.op_span);
    return;
  }
  if (!product && !alike(*left.units, *right.units)) return;
  const CombinedUnits made = combine(expr.op, left, right);
  bool label = false, way = false, once = false;
  for (const DimensionScales& d : dimensions(*left.units, *right.units, made.result)) {
    label |= wrong_label(expr.op, d);
    way |= wrong_way(d);
    once |= scaled_once(d);
  }
  if (made.wraps) factor_wraps(expr.op_span);
  if (label) diags_.add_here(DiagCode::D_WrongLabel, expr.op_span);
  if (way) diags_.add_here(DiagCode::D_WrongWay, expr.op_span);
  if (once) diags_.add_here(DiagCode::D_ScaledOnce, expr.op_span);
  if (made.left_both || made.right_both) diags_.add_here(DiagCode::D_RoundedFactor, expr.op_span);
}

// Where strict wants rate(), delta() or instant().
void UnitRows::counters(const Expr& expr) {
  const auto raw = [&](size_t i) {
    if (of(expr, i).is(kCounter)) diags_.add_here(DiagCode::D_CounterNeedsRate, arg(expr, i).span);
  };
  if (relates(expr)) raw(0), raw(1);
  if (expr.kind == ExprKind::unary && expr.op == Operator::neg) raw(0);
  if (picks(expr) && !of(expr, 0).asks) raw(1), raw(2);
  for (const std::string_view name : {"sum", "avg", "min", "max"}) {
    if (is_function(expr, name)) raw(0);
  }
  const bool product = expr.op == Operator::mul || expr.op == Operator::div;
  if (expr.kind != ExprKind::binary || !product) return;
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  constexpr uint8_t kOthers = kInstant | kDiscrete;
  const auto differs = [&](const Facts& counter, const Facts& other) {
    if (!counter.is(kCounter) || !other.is(kOthers)) return false;
    if (!other.constant) return !other.units || other.units->none();
    const bool labelled = &counter == &left || other.literal;
    return !labelled || (other.units && !other.units->none());
  };
  if (differs(left, right) || (expr.op == Operator::mul && differs(right, left))) {
    diags_.add_here(DiagCode::D_CounterMixed, expr.op_span);
  }
}

void UnitRows::needs_truth(const Expr& expr, size_t i, DiagCode code) {
  if (!of(expr, i).truth) diags_.add_here(code, arg(expr, i).span);
}

void UnitRows::needs_number(const Expr& expr, size_t i) {
  if (of(expr, i).truth) diags_.add_here(DiagCode::D_NumberAsTruth, arg(expr, i).span);
}

// One type to libpcp.
void UnitRows::truth(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::binary:
      for (size_t i = 0; i < 2; ++i) {
        if (decides(expr)) needs_truth(expr, i, DiagCode::D_NumberAsTruth);
        if (!decides(expr)) needs_number(expr, i);
      }
      break;
    case ExprKind::unary:
      if (expr.op == Operator::not_) needs_truth(expr, 0, DiagCode::D_NotNeedsTruth);
      if (expr.op == Operator::neg) needs_number(expr, 0);
      break;
    case ExprKind::ternary:
      needs_truth(expr, 0, DiagCode::D_NumberAsTruth);
      if (picks(expr) && !of(expr, 0).asks && of(expr, 1).truth != of(expr, 2).truth &&
          !of(expr, 1).nobody && !of(expr, 2).nobody) {
        needs_number(expr, of(expr, 1).truth ? 1 : 2);
      }
      break;
    case ExprKind::rescale: needs_number(expr, 0); break;
    case ExprKind::call:
      if (is_history(expr)) needs_number(expr, 0);
      if (is_function(expr, "count") && of(expr, 0).has(kTexts)) {
        diags_.add_here(DiagCode::D_TextInArithmetic, expr.op_span, "a count of");
      }
      if (is_function(expr, "instant") && of(expr, 0).has(kTexts)) {
        diags_.add_here(DiagCode::D_TextInArithmetic, expr.op_span, "instant() of");
      }
      break;
    default: break;
  }
}

void UnitRows::arms(const Expr& expr) {
  const Facts &left = of(expr, 1), &right = of(expr, 2);
  if (left.nobody || right.nobody) return;
  const bool one_counts = of(expr, 0).asks;  // to strict
  if (left.bare != right.bare && !one_counts) bare(expr, 1, 2);
  const auto one = [](uint8_t set) { return (set & (set - 1)) == 0; };
  const bool types = left.types != right.types || !one(left.types);
  const bool semantics = left.semantics != right.semantics || !one(left.semantics);
  bool units = !left.units || !right.units;
  if (!units) {
    const bool fits = left.bare || right.bare || same_dimensions(*left.units, *right.units);
    if (!fits && !one_counts) return;  // to strict neither
    units = *left.units != *right.units;
  }
  if (types || semantics || units) diags_.add_here(DiagCode::D_ArmsAgree, expr.op_span);
}

}  // namespace pmjit
