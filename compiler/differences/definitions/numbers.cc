// What numbers become: wraps, signs, precision, NaN (spec dialects.md §7).
#include <cmath>
#include <cstdlib>

#include "compiler/compat/definitions/bind.h"
#include "compiler/compat/definitions/tokens.h"
#include "compiler/differences/definitions/walk.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {

namespace {

constexpr TypeSet kFloat = only(pm_type::f32);
constexpr TypeSet kIntegers = kAllNumbers & ~kReals;
constexpr TypeSet kWide = only(pm_type::i64) | only(pm_type::u64);
constexpr long double kExactInDouble = 9007199254740992.0L, kExactInFloat = 16777216.0L;

bool beyond(const Range& range, long double border) {
  return range.lo < -border || range.hi > border;
}

bool is_power_of_two(uint64_t number) { return (number & (number - 1)) == 0; }

// In which types a pair of operands may meet, where f allows the pair.
template <class F>
TypeSet meeting(const Facts& left, const Facts& right, F&& f) {
  TypeSet out = 0;
  each_type(left.types, [&](int l) {
    each_type(right.types, [&](int r) {
      const int type = pcp::promoted(l, r);
      if (f(l, r, type)) out |= only(type);
    });
  });
  return out;
}

bool is_signed(int type) { return type == pm_type::i32 || type == pm_type::i64; }

// One of the operands may be negative, and meets an unsigned one.
bool turns(const Facts& left, const Facts& right) {
  return meeting(left, right, [&](int l, int r, int type) {
           const bool negative =
               (is_signed(l) && left.range.lo < 0) || (is_signed(r) && right.range.lo < 0);
           return negative && (only(type) & kUnsigned) != 0;
         }) != 0;
}

}  // namespace

void NumberRows::run() {
  each([&](const Expr& expr, const Facts& facts) {
    if (is_arithmetic(expr)) arithmetic(expr);
    if (relates(expr)) relation(expr);
    if (expr.kind == ExprKind::unary && expr.op == Operator::neg) negation(expr);
    if (is_history(expr)) history(expr);
    if (expr.kind == ExprKind::call) aggregate(expr);
    if (expr.kind == ExprKind::mkconst) constant(expr, facts.types);
    if (expr.kind == ExprKind::rescale) rescaled(expr);
  });
}

void NumberRows::unsigned_literals(const Expr& expr) {
  for (size_t i = 0; i < expr.arg_count; ++i) {
    const Expr& operand = arg(expr, i);
    const bool made = operand.kind == ExprKind::mkconst && of(expr, i).types == only(pm_type::u32);
    const Expr& literal = made ? arg(operand, 0) : operand;
    bool typed = false;
    for (const Spec& spec : ast_.specs_of(operand))
      typed |= spec.tag == "type" || spec.tag == "meta";
    if (literal.kind == ExprKind::integer && !typed) {
      diags_.add_here(DiagCode::D_LiteralType, literal.text_span);
    }
  }
}

void NumberRows::arithmetic(const Expr& expr) {
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  if (expr.op == Operator::div) {
    if (left.range.contains(0) && (right.range.contains(0) || right.may_be_nan)) {
      diags_.add_here(DiagCode::D_ZeroByZero, expr.op_span);
    }
    if (right.bare && right.zero()) {
      diags_.add_here(DiagCode::D_DivisionByZero, arg(expr, 1).span);
    }
    return;
  }
  const bool scaled = left.units && right.units && combine(expr.op, left, right).converted;
  const bool may_scale = !left.units || !right.units;
  const bool wide = (left.has(kWide) && beyond(left.range, kExactInDouble)) ||
                    (right.has(kWide) && beyond(right.range, kExactInDouble));
  if ((scaled || may_scale) && wide) diags_.add_here(DiagCode::D_Binary64, expr.op_span);
  if (scaled) return;
  const TypeSet wrapping = meeting(left, right, [&](int l, int r, int type) {
    const Range exact =
        combined(expr.op, common(left.range, of_type(l)), common(right.range, of_type(r)));
    // A bare literal makes a signed number of both.
    const bool is_signed_there = left.bare || right.bare;
    const int there = type == pm_type::u64 && is_signed_there ? pm_type::i64 : type;
    return !exact.within(of_type(type)) || !exact.within(of_type(there));
  });
  if (wrapping != 0) {
    diags_.add_here(DiagCode::D_Wraps, expr.op_span);
    if (turns(left, right)) diags_.add_here(DiagCode::D_TurnsUnsigned, expr.op_span);
    if ((wrapping & only(pm_type::u32)) != 0) unsigned_literals(expr);
  }
  const TypeSet met = meeting(left, right, [](int, int, int) { return true; });
  if ((met & kFloat) != 0) diags_.add_here(DiagCode::D_SinglePrecision, expr.op_span);
}

void NumberRows::relation(const Expr& expr) {
  const Facts &left = of(expr, 0), &right = of(expr, 1);
  if (turns(left, right)) {
    diags_.add_here(DiagCode::D_TurnsUnsigned, expr.op_span);
    unsigned_literals(expr);
  }
  const auto inexact = [](const Facts& facts, int type) {
    return type != pm_type::f32 && beyond(common(facts.range, of_type(type)), kExactInFloat);
  };
  const TypeSet single = meeting(left, right, [&](int l, int r, int type) {
    return type == pm_type::f32 && (inexact(left, l) || inexact(right, r));
  });
  if (single != 0) diags_.add_here(DiagCode::D_SinglePrecision, expr.op_span);
  if (left.may_be_nan || right.may_be_nan) diags_.add_here(DiagCode::D_ComparesNan, expr.op_span);
}

void NumberRows::negation(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  bool wraps = false;
  each_type(operand.types & kIntegers, [&](int type) {
    const int to = type == pm_type::u32   ? pm_type::i32
                   : type == pm_type::u64 ? pm_type::i64
                                          : static_cast<pm_type::PmTypeCode>(type);
    const Range values = common(operand.range, of_type(type));
    wraps |= !Range{-values.hi, -values.lo}.within(of_type(to));
  });
  if (!wraps) return;
  diags_.add_here(DiagCode::D_Wraps, expr.op_span);
  unsigned_literals(expr);
}

// A counter that falls is another row.
void NumberRows::history(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  const bool rate = is_function(expr, "rate");
  if (operand.is(kInstant | kDiscrete)) {
    bool wraps = false;
    each_type(operand.types & kIntegers, [&](int type) {
      const Range values = common(operand.range, of_type(type));
      const Range difference{values.lo - values.hi, values.hi - values.lo};
      const bool own_type = rate || is_signed(type);
      wraps |= own_type && !difference.within(of_type(type));
    });
    if (wraps) diags_.add_here(DiagCode::D_Wraps, expr.op_span);
  }
  const bool wide = operand.has(only(pm_type::u64)) && beyond(operand.range, kExactInDouble);
  if (!rate && wide) diags_.add_here(DiagCode::D_Binary64, expr.op_span);
  if (operand.has(kFloat)) diags_.add_here(DiagCode::D_SinglePrecision, expr.op_span);
  const bool other_time = !operand.units || (operand.units->dim_time == 1 &&
                                             operand.units->scale_time != kTimeScaleSec);
  if (rate && other_time) diags_.add_here(DiagCode::D_RoundedFactor, expr.op_span);
}

void NumberRows::aggregate(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  if (is_function(expr, "sum") && operand.several && operand.has(kIntegers)) {
    diags_.add_here(DiagCode::D_Wraps, expr.op_span);
  }
  const bool sum = is_function(expr, "sum"), avg = is_function(expr, "avg");
  const bool inexact = operand.has(kAllNumbers & ~kFloat) && beyond(operand.range, kExactInFloat);
  if ((avg && (operand.several || inexact)) || (sum && operand.several && operand.has(kFloat))) {
    diags_.add_here(DiagCode::D_SinglePrecision, expr.op_span);
  }
  if ((is_function(expr, "max") || is_function(expr, "min")) && operand.may_be_nan &&
      operand.several) {
    diags_.add_here(DiagCode::D_NanInExtremes, expr.op_span);
  }
}

void NumberRows::constant(const Expr& expr, TypeSet types) {
  const Expr& number = arg(expr, 0);
  const long double value = std::strtold(number.text.c_str(), nullptr);
  bool limited = false, truncated = false, single = false;
  each_type(types, [&](int type) {
    const bool integer = (only(type) & kIntegers) != 0;
    limited |= integer && !of_type(type).contains(value);
    truncated |= integer && number.kind == ExprKind::real;
    single |= type == pm_type::f32 && static_cast<long double>(static_cast<float>(value)) !=
                                          static_cast<long double>(static_cast<double>(value));
  });
  if (limited) diags_.add_here(DiagCode::D_LiteralLimit, number.text_span);
  if (truncated) diags_.add_here(DiagCode::D_RoundedToInteger, number.text_span);
  if (single) diags_.add_here(DiagCode::D_SinglePrecision, number.text_span);
}

void NumberRows::rescaled(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  const Units wanted = pcp::units_of_tag(expr.text, options_.dialect);
  if (operand.units && *operand.units == wanted) return;
  const auto factor = operand.units ? scale_factor(*operand.units, wanted) : std::nullopt;
  if (operand.units && scales_wrongly(*operand.units, wanted)) return factor_wraps(expr.op_span);
  if (operand.units && !factor && !scale_shift(*operand.units, wanted)) return;
  if (factor && factor->num == factor->den) return;
  if (operand.has(kIntegers)) {
    if (!factor || factor->den != 1) diags_.add_here(DiagCode::D_RoundedToInteger, expr.op_span);
    bool wraps = !factor;
    each_type(operand.types & kIntegers, [&](int type) {
      const Range values = common(operand.range, of_type(type));
      const long double by = factor ? static_cast<long double>(factor->num) : 1;
      // Multiplied in 64 bits, then divided.
      const Range border = factor && factor->den == 1 ? of_type(type) : of_type(pm_type::i64);
      wraps |= !Range{values.lo * by, values.hi * by}.within(border);
    });
    if (wraps) diags_.add_here(DiagCode::D_Wraps, expr.op_span);
  }
  if (operand.has(kFloat)) diags_.add_here(DiagCode::D_SinglePrecision, expr.op_span);
  const bool rounds =
      factor ? factor->den != 1 && !is_power_of_two(factor->den) : !operand.units.has_value();
  if (operand.has(kReals) && rounds) diags_.add_here(DiagCode::D_RoundedFactor, expr.op_span);
}

}  // namespace pmjit
