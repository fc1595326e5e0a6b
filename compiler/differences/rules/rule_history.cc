// What is not there, and what was before (spec dialects.md §10, §11).
#include <cmath>

#include "compiler/differences/rules/rule_rows.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

// The one value of a pair may be there while the set beside it is not.
bool element_zero_only(const RuleView& at) {
  if ((!at.is(PmieOp::both) && !at.is(PmieOp::either)) || !at.has_two()) return false;
  const bool left_set = at.left().several, right_set = at.right().several;
  if (left_set == right_set) return false;
  const RuleFacts& set = left_set ? at.left() : at.right();
  const RuleFacts& one = left_set ? at.right() : at.left();
  return !includes(one.lacks, set.lacks);
}

// In the rounding of N % of n: spec Q7 and dialects.md §4.2.
bool needs_differ(double share, int32_t n) {
  const int pmie = static_cast<int>(0.5 + share / 100 * n);
  return pmie != static_cast<int>(std::ceil(share * n / 100));
}
bool rounds_otherwise(const RuleView& at) {
  const PmieNode& node = at.node();
  const PmieShape& shape = at.left_node().shape;
  if (node.dim == Dim::host) return needs_differ(node.number, shape.hosts);
  if (node.dim == Dim::sample) return needs_differ(node.number, shape.samples);
  constexpr int32_t kTried = 1000;
  const bool known = node.metrics != kNone && at.program.fetches[node.metrics].is_known();
  const int32_t most = !at.left().set ? 1 : known ? std::min(shape.insts, kTried) : kTried;
  for (int32_t n = 1; n <= most; ++n) {
    if (needs_differ(node.number, n)) return true;
  }
  return false;
}
bool percent_differs(const RuleView& at) {
  return at.is(PmieOp::percent) && (at.left().unknowns || rounds_otherwise(at));
}
std::string percent_text(const RuleView& at) {
  return at.left().unknowns ? "unknown counts twice, and need is rounded,"
                            : "what N % of them are is rounded to the nearest, not up,";
}

std::string first_element(const RuleView&) {
  return "only the first element is known when one side is missing";
}

bool text_relation(const RuleView& at) {
  if (!at.is(PmieOp::text_equal) && !at.is(PmieOp::text_unequal)) return false;
  return !at.left().lacks.empty() || !at.right().lacks.empty();
}

constexpr RuleRow kAbsence[] = {
    {DiagCode::D_OneHidesAll, lists_several},
    {DiagCode::D_CountsNothing,
     [](const RuleView& at) {
       return at.is(PmieOp::count) && at.node().dim == Dim::inst && at.left().set;
     }},
    {DiagCode::D_BothSides, element_zero_only, at_sign, first_element},
    {DiagCode::D_QuantifierOrder,
     [](const RuleView& at) {
       return (at.is(PmieOp::all) || at.is(PmieOp::some)) && at.left().uneven;
     }},
    {DiagCode::D_PercentUnknown, percent_differs, at_sign, percent_text},
    {DiagCode::D_PercentRange,
     [](const RuleView& at) { return at.is(PmieOp::percent) && at.node().number > 100; }},
    {DiagCode::D_UnknownIsChange,
     [](const RuleView& at) {
       return (at.is(PmieOp::rising) || at.is(PmieOp::falling)) && at.left().unknowns;
     }},
    {DiagCode::D_TextMissing, text_relation},
};

// Of what nobody knows nothing is told here: it would be told of every name.
bool rated_fetch(const RuleView& at) { return at.is_fetch() && at.is_known() && at.own().rated; }

// Some of its elements may be well while another one falls.
bool falls_among_others(const RuleView& at) {
  if (!rated_fetch(at)) return false;
  return at.own().several || at.node().shape.span() > 1;
}
bool looks_back(const RuleView& at) {
  return at.is(PmieOp::rate) || at.is(PmieOp::rising) || at.is(PmieOp::falling);
}
bool over_samples(const RuleView& at) { return at.node().dim == Dim::sample; }

// Values before, taken by position.
bool history_by_position(const RuleView& at) {
  if (at.is(PmieOp::delay)) return at.left().set;
  if (at.is_fetch())
    return at.own().set && at.user() != kNone && at.node().shape.samples > 1 &&
           at.program.nodes[at.user()].op != PmieOp::delay;
  return looks_back(at) && at.left().set;
}
bool results_lost(const RuleView& at) {
  if (!looks_back(at) && !over_samples(at)) return false;
  const PmieOp operand = at.left_node().op;
  return operand != PmieOp::fetch && operand != PmieOp::delay && at.left().set;
}
bool older_are_false(const RuleView& at) {
  return at.is(OpKind::relation) && at.own().several && at.node().shape.samples > 1;
}
bool stored_otherwise(const RuleView& at) {
  const bool sums = at.is(PmieOp::sum) || at.is(PmieOp::avg);
  return sums && over_samples(at) && at.left_node().shape.samples > 2 && !at.left().whole;
}
bool wide_counter(const RuleView& at) {
  if (!at.is_fetch() || !at.is_known() || !at.own().counter) return false;
  return at.desc().pm_type == pm_type::i64 || at.desc().pm_type == pm_type::u64;
}

std::string hides_all(const RuleView&) { return "hides all instances"; }

constexpr RuleRow kTime[] = {
    {DiagCode::D_ResetRate, falls_among_others, at_sign, hides_all},
    {DiagCode::D_SetChanges,
     [](const RuleView& at) { return rated_fetch(at) && at.own().several; }},
    {DiagCode::D_OtherInstance, history_by_position},
    {DiagCode::D_ResultsLost, results_lost},
    {DiagCode::D_OlderFalse, older_are_false},
    {DiagCode::D_SamplesMissing,
     [](const RuleView& at) { return at.is(OpKind::quantifier) && over_samples(at); }},
    {DiagCode::D_StorageOrder, stored_otherwise},
    {DiagCode::D_HostDown,
     [](const RuleView& at) {
       return at.is_fetch() && !at.is_known() && at.fetch().hosts.size() > 1;
     }},
    {DiagCode::D_LowBits, wide_counter},
    {DiagCode::D_LateText, [](const RuleView& at) { return at.is_fetch() && at.own().text; }},
};

}  // namespace

std::span<const RuleRow> rule_absence_rows() { return kAbsence; }
std::span<const RuleRow> rule_time_rows() { return kTime; }

}  // namespace pmjit::pmie
