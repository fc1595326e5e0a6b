// What is not there, and what was before (spec dialects.md §10, §11, §13.5).
#include <algorithm>

#include "compiler/differences/definitions/walk.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Whether a may have no values while b has.
bool may_lack(const Facts& a, const Facts& b) { return !includes(b.lacks, a.lacks); }

}  // namespace

void AbsenceRows::run() {
  each([&](const Expr& expr, const Facts&) {
    if (expr.kind == ExprKind::call) aggregate(expr);
    if (is_history(expr)) history(expr);
    if (picks(expr)) pick(expr);
    if (expr.kind == ExprKind::name) metric(expr);
    const bool sides =
        decides(expr) && (may_lack(of(expr, 0), of(expr, 1)) || may_lack(of(expr, 1), of(expr, 0)));
    if (sides) {
      diags_.add_here(DiagCode::D_BothSides, expr.op_span, "no value unless both sides have some");
    }
  });
  for (uint32_t i = 0; i < facts_.size(); ++i) {
    const Expr& expr = ast_.exprs[ExprId{{i}}];
    const bool missing = expr.kind == ExprKind::name && facts_[i].missing && !facts_[i].unused;
    if (missing) diags_.add_here(DiagCode::D_UnknownDisables, expr.text_span, "definition");
  }
}

void AbsenceRows::aggregate(const Expr& expr) {
  const bool sum = is_function(expr, "sum") || is_function(expr, "avg");
  const bool count = is_function(expr, "count");
  if (count) diags_.add_here(DiagCode::D_ErrorIsZero, expr.op_span);
  if (sum) diags_.add_here(DiagCode::D_NothingIsZero, expr.op_span);
  const bool extreme = is_function(expr, "min") || is_function(expr, "max");
  if ((sum || count || extreme) && of(expr, 0).several) {
    diags_.add_here(DiagCode::D_MissingLeftOut, expr.op_span);
  }
}

void AbsenceRows::pick(const Expr& expr) {
  const Facts &guard = of(expr, 0), &left = of(expr, 1), &right = of(expr, 2);
  if (!left.nobody && !right.nobody) {
    const auto needed = [&](const Facts& arm, const Facts& other) {
      return !includes(together(guard.lacks, other.lacks), arm.lacks);
    };
    if (needed(left, right) || needed(right, left)) {
      diags_.add_here(DiagCode::D_BothArms, expr.op_span);
    }
  }
  const auto shorter = [&](const Facts& arm) {
    return arm.may_be_set && !arm.nobody && arm.lanes != guard.lanes;
  };
  if (guard.may_be_set && (shorter(left) || shorter(right))) {
    diags_.add_here(DiagCode::D_LastDecision, expr.op_span);
  }
  // pcp7 settles it as strict does.
  const bool missing = left.missing || right.missing;
  const bool open = !guard.settled && !(left.constant && right.constant);
  if (pcp6() && guard.asks && (missing || open)) {
    diags_.add_here(DiagCode::D_StaticGuard, expr.op_span);
  }
}

void AbsenceRows::history(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  const bool rate = is_function(expr, "rate");
  const TypeSet falling = pcp6() ? kAllNumbers : only(pm_type::i32);
  if (operand.is(kCounter) && !rate) diags_.add_here(DiagCode::D_ResetDelta, expr.op_span);
  if (operand.is(kCounter) && rate && operand.has(falling)) {
    const bool huge = operand.has(falling & kUnsigned);
    diags_.add_here(DiagCode::D_ResetRate, expr.op_span,
                    huge ? "gives a huge rate" : "gives a negative rate");
  }
  // Met by the identifier, which may get another name.
  if (operand.may_be_set) diags_.add_here(DiagCode::D_OtherInstance, expr.op_span);
  diags_.add_here(DiagCode::D_AcrossPause, expr.op_span);
  diags_.add_here(DiagCode::D_ErrorTwice, expr.op_span);
  if (rate) diags_.add_here(DiagCode::D_EqualStamps, expr.op_span);
  diags_.add_here(DiagCode::D_GoingBack, expr.op_span);
  std::string_view first;
  bool others = false;
  each([&](const Expr& name, const Facts&) {
    if (name.kind != ExprKind::name) return;
    if (first.empty()) first = name.text;
    others |= name.text != first;
  });
  if (operand.may_be_set || others) diags_.add_here(DiagCode::D_Unchanged, expr.op_span);
}

// What it is recorded as; of one that is not known nothing shows.
void AbsenceRows::metric(const Expr& expr) {
  const auto metric = options_.known.metric(expr.text);
  if (metric.kind != KnownMetrics::Kind::recorded || !metric.desc) return;
  const Desc& desc = *metric.desc;
  const bool counter = desc.semantics == Semantics::counter;
  if (options_.known.interrupted()) diags_.add_here(DiagCode::D_AcrossPause, expr.text_span);
  if (!pcp6() && !counter) diags_.add_here(DiagCode::D_Nearest, expr.text_span);
  // Of 64 bits many of them; of 32 the last one, half-way between two whole numbers.
  const bool whole = desc.pm_type >= pm_type::i32 && desc.pm_type <= pm_type::u64;
  if (counter && whole) diags_.add_here(DiagCode::D_LowBits, expr.text_span);
  if (desc.pm_type == pm_type::string) diags_.add_here(DiagCode::D_LateText, expr.text_span);
}

}  // namespace pmjit
