// What operators of a rule bind, which numbers they give, and which units meet (spec dialects.md
// §6, §7, §8).
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "compiler/differences/rules/rule_rows.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

bool is_joining(PmieOp op) { return op == PmieOp::both || op == PmieOp::either; }

constexpr RuleRow kText[] = {
    {DiagCode::D_MixedLogic, is_mixed_logic},
    {DiagCode::D_NotCovers,
     [](const RuleView& at) { return at.is(PmieOp::negation) && covers_relation(at); }},
    {DiagCode::D_CountOperand,
     [](const RuleView& at) { return at.is(PmieOp::count) && covers_relation(at); }},
    {DiagCode::D_MonthFromZero,
     [](const RuleView& at) {
       return at.is(PmieOp::variable) && at.node().variable == Variable::month;
     }},
    {DiagCode::D_HourOff,
     [](const RuleView& at) {
       return at.is(PmieOp::variable) && at.node().variable == Variable::hour;
     }},
};

bool is_64(const RuleView& at) {
  if (!at.is_fetch() || !at.is_known()) return false;
  return at.desc().pm_type == pm_type::i64 || at.desc().pm_type == pm_type::u64;
}

// Multiplied by a factor that binary64 does not hold.
bool rounded_factor(const RuleView& at) {
  if (!at.is_fetch() || !at.is_known()) return false;
  const double factor = at.fetch().hosts.front().scale;
  int exponent = 0;
  const bool power_of_two = std::frexp(factor, &exponent) == 0.5;
  return factor != std::floor(factor) && !power_of_two;
}

bool nan_of_many(const RuleView& at) {
  if (!at.is(PmieOp::max) && !at.is(PmieOp::min)) return false;
  const bool many = at.left().several || at.left_node().shape.values() > 1;
  return many && at.left().may_be_nan;
}

constexpr RuleRow kNumbers[] = {
    {DiagCode::D_Binary64, is_64},
    {DiagCode::D_DivisionByZero,
     [](const RuleView& at) {
       return at.is(PmieOp::divide) && at.right().constant && at.right_node().number == 0;
     }},
    {DiagCode::D_RoundedFactor, rounded_factor},
    {DiagCode::D_ComparesNan,
     [](const RuleView& at) {
       return at.compares() && (at.left().may_be_nan || at.right().may_be_nan);
     }},
    {DiagCode::D_NanInExtremes, nan_of_many},
};

// A number without a unit, which strict refuses beside this other operand.
bool bare_beside(const RuleFacts& number, const PmieNode& node, const RuleFacts& other) {
  if (!number.bare || other.constant || other.text) return false;
  if (node.number == 0 || !std::isfinite(node.number)) return false;
  return !other.units || !canonical_scales(*other.units);
}
bool units_meet(const RuleView& at) { return at.has_two() && (at.compares() || at.adds()); }
// Counts and no unit are alike; of what is not known anything is possible.
bool dimensions_differ(const RuleView& at) {
  const RuleFacts &a = at.left(), &b = at.right();
  if (a.bare || b.bare || a.text || b.text) return false;
  if (!a.units || !b.units) return a.sets != b.sets || a.lacks != b.lacks;
  return a.units->dim_space != b.units->dim_space || a.units->dim_time != b.units->dim_time;
}
bool macro_differs(const RuleView& at) {
  const bool macro = units_meet(at) && (at.left().macro_unit || at.right().macro_unit);
  return macro && dimensions_differ(at);
}

bool needs_no_counter(const RuleView& at) {
  const bool sums =
      at.is(PmieOp::sum) || at.is(PmieOp::avg) || at.is(PmieOp::min) || at.is(PmieOp::max);
  return (sums || at.compares()) && at.left().counter;
}
bool mixes_counter(const RuleView& at) {
  if (!at.is(OpKind::arithmetic) || !at.has_two()) return false;
  const RuleFacts &a = at.left(), &b = at.right();
  if (at.adds()) return (a.counter && b.gauge) || (a.gauge && b.counter);
  if (at.is(PmieOp::divide)) return b.counter || (a.counter && !b.constant);
  return (a.counter && !b.constant) || (b.counter && !a.constant);
}
bool all_raw(const RuleView& at) {
  if (!at.is(PmieOp::instant) || !at.left().has_counter) return false;
  return at.left_node().op != PmieOp::fetch && at.left_node().op != PmieOp::delay;
}
bool text_in_arithmetic(const RuleView& at) {
  // Errors report == and != between a text and a number, and arithmetic with texts.
  const auto is_named = [&](uint32_t node) {
    return node != kNone && at.of(node).text && at.program.nodes[node].op == PmieOp::fetch;
  };
  if (at.compares()) return is_named(at.node().left) || is_named(at.node().right);
  if (!at.is(OpKind::arithmetic) && !at.is(PmieOp::max) && !at.is(PmieOp::min)) return false;
  return at.left().text || (at.has_two() && at.right().text);
}

std::string left_number(const RuleView& at) { return fmt::format("{}", at.left_node().number); }
std::string right_number(const RuleView& at) { return fmt::format("{}", at.right_node().number); }
std::string unchecked(const RuleView&) { return "nobody checks them"; }
std::string derivative(const RuleView&) { return "here"; }
std::string takes_text(const RuleView& at) {
  return fmt::format("{} takes", symbol_of(at.node().op));
}
Span at_right(const RuleView& at) { return at.right_node().place.span; }
Span at_macro(const RuleView& at) { return at.left().macro_unit ? at_left(at) : at_right(at); }

constexpr RuleRow kUnits[] = {
    {DiagCode::D_MacroUnit, macro_differs, at_macro},
    {DiagCode::D_BareNumber, left_is_bare, at_left, left_number},
    {DiagCode::D_BareNumber, right_is_bare, at_right, right_number},
    {DiagCode::D_CompareDimensions,
     [](const RuleView& at) { return at.compares() && dimensions_differ(at); }},
    {DiagCode::D_AddDimensions,
     [](const RuleView& at) { return at.adds() && at.has_two() && dimensions_differ(at); }, at_sign,
     unchecked},
    {DiagCode::D_CounterNeedsRate, needs_no_counter, at_left},
    {DiagCode::D_CounterNeedsRate,
     [](const RuleView& at) { return at.compares() && at.right().counter; }, at_right},
    {DiagCode::D_SecondDerivative,
     [](const RuleView& at) { return at.is(PmieOp::rate) && at.left().rated; }, at_sign,
     derivative},
    {DiagCode::D_AllRaw, all_raw},
    {DiagCode::D_CounterMixed, mixes_counter},
    {DiagCode::D_TextInArithmetic, text_in_arithmetic, at_sign, takes_text},
};

}  // namespace

bool is_mixed_logic(const RuleView& at) {
  if (!is_joining(at.node().op) || !at.has_two()) return false;
  const PmieNode& left = at.left_node();
  return is_joining(left.op) && left.op != at.node().op && !left.place.grouped;
}
bool covers_relation(const RuleView& at) {
  if (!at.is(PmieOp::negation) && !at.is(PmieOp::count)) return false;
  return kind_of(at.left_node().op) == OpKind::relation && !at.left_node().place.grouped;
}
bool left_is_bare(const RuleView& at) {
  return units_meet(at) && bare_beside(at.left(), at.left_node(), at.right());
}
bool right_is_bare(const RuleView& at) {
  return units_meet(at) && bare_beside(at.right(), at.right_node(), at.left());
}
bool units_differ(const RuleView& at) { return units_meet(at) && dimensions_differ(at); }
bool any_part(const RuleView& at, uint32_t operand, bool (*is_so)(const RuleView&)) {
  RuleView within = at;
  for (within.index = at.first_of(operand); within.index <= operand; ++within.index) {
    if (is_so(within)) return true;
  }
  return false;
}
bool operand_units_differ(const RuleView& at, uint32_t operand) {
  return any_part(at, operand, units_differ);
}

std::span<const RuleRow> rule_text_rows() { return kText; }
std::span<const RuleRow> rule_number_rows() { return kNumbers; }
std::span<const RuleRow> rule_unit_rows() { return kUnits; }

}  // namespace pmjit::pmie
