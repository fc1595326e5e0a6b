// Rules, rulesets and what they do (spec dialects.md §12).
#include <algorithm>

#include "compiler/differences/rules/rule_rows.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kSelectors = "hivc";

bool has_selector(std::string_view text, std::string_view wanted) {
  for (size_t i = text.find('%'); i != text.npos; i = text.find('%', i + 1)) {
    if (i + 1 < text.size() && wanted.contains(text[i + 1])) return true;
  }
  return false;
}
bool has_other_selector(std::string_view text) {
  for (size_t i = text.find('%'); i != text.npos; i = text.find('%', i + 1)) {
    if (is_other_selector(text, i)) return true;
  }
  return false;
}
template <class F>
bool any_argument(const RuleView& at, F&& f) {
  return std::ranges::any_of(at.node().arguments, f);
}

bool is_verb(const RuleView& at) {
  return at.is(OpKind::action) && !at.is(PmieOp::in_turn) && !at.is(PmieOp::until_true);
}

// The condition of the rule that an action belongs to; kNone: of no rule, or of a clause.
uint32_t condition_of(const RuleView& at) {
  uint32_t node = at.index;
  while (node != kNone && kind_of(at.program.nodes[node].op) == OpKind::action) {
    node = at.users[node - at.statement.first_node];
  }
  return node == kNone || at.program.nodes[node].op != PmieOp::rule ? kNone
                                                                    : at.program.nodes[node].left;
}
bool depends_on_either(const RuleView& at, uint32_t node) {
  if (node == kNone) return false;
  const PmieNode& n = at.program.nodes[node];
  if (n.op == PmieOp::either) return true;
  if (kind_of(n.op) != OpKind::logic && kind_of(n.op) != OpKind::quantifier) return false;
  return depends_on_either(at, n.left) || depends_on_either(at, n.right);
}
// Whole numbers of 32 bits, which both print as they are.
bool compares_whole(const RuleView& at, uint32_t node) {
  if (node == kNone) return true;
  const PmieNode& n = at.program.nodes[node];
  if (kind_of(n.op) == OpKind::relation) return at.of(n.left).whole && at.of(n.right).whole;
  if (kind_of(n.op) != OpKind::logic && kind_of(n.op) != OpKind::quantifier) return false;
  return compares_whole(at, n.left) && compares_whole(at, n.right);
}
bool prints_number(const RuleView& at) {
  if (!is_verb(at)) return false;
  const uint32_t condition = condition_of(at);
  if (condition != kNone && compares_whole(at, condition)) return false;
  return any_argument(at, [](const std::string& text) { return has_selector(text, "v"); });
}
bool one_of_two(const RuleView& at) {
  return is_verb(at) && depends_on_either(at, condition_of(at));
}
// Of `! some_inst …`: what the quantifier is true of fills selectors here, and nobody in strict.
bool turns_quantifier(const RuleView& at, uint32_t node, bool turned) {
  if (node == kNone) return false;
  const PmieNode& n = at.program.nodes[node];
  if (kind_of(n.op) == OpKind::quantifier) return turned && at.of(n.left).set;
  if (kind_of(n.op) != OpKind::logic) return false;
  const bool turns = n.op == PmieOp::negation || n.op == PmieOp::rising || n.op == PmieOp::falling;
  return turns_quantifier(at, n.left, turned || turns) ||
         turns_quantifier(at, n.right, turned || turns);
}
bool selectors_stay(const RuleView& at) {
  const bool turned = is_verb(at) && turns_quantifier(at, condition_of(at), false);
  return (turned || one_of_two(at)) &&
         any_argument(at, [](const std::string& text) { return has_selector(text, kSelectors); });
}
bool says_nothing(const RuleView& at) {
  return is_verb(at) && std::ranges::all_of(at.node().arguments, &std::string::empty);
}
bool nothing_left(const RuleView& at) {
  if (says_nothing(at)) return true;
  return one_of_two(at) && std::ranges::all_of(at.node().arguments, [](const std::string& text) {
           return has_selector(text, kSelectors);
         });
}

// The conditions of a ruleset, in their order.
std::vector<uint32_t> conditions(const RuleView& at) {
  std::vector<uint32_t> out;
  for (uint32_t rules = at.node().left; rules != kNone;) {
    const PmieNode& node = at.program.nodes[rules];
    const bool more = node.op == PmieOp::alternatives;
    const uint32_t rule = more ? node.left : rules;
    if (rule != kNone && at.program.nodes[rule].op == PmieOp::rule) {
      out.push_back(at.program.nodes[rule].left);
    }
    rules = more ? node.right : kNone;
  }
  return out;
}
bool has_otherwise(const RuleView& at) {
  const uint32_t right = at.node().right;
  if (right == kNone) return false;
  return at.program.nodes[right].op != PmieOp::unknown_clause;
}
bool may_be_unknown(const RuleView& at, uint32_t node) {
  return !at.of(node).lacks.empty() || at.of(node).unknowns;
}
bool otherwise_runs(const RuleView& at) {
  if (!at.is(PmieOp::ruleset) || !has_otherwise(at)) return false;
  return std::ranges::any_of(conditions(at),
                             [&](uint32_t node) { return may_be_unknown(at, node); });
}
// One is unknown while another one is not.
bool uneven(const RuleView& at, const std::vector<uint32_t>& nodes) {
  return std::ranges::any_of(nodes, [&](uint32_t node) {
    return at.of(node).unknowns || at.of(node).lacks != at.of(nodes.front()).lacks;
  });
}
bool last_known(const RuleView& at) {
  return at.is(PmieOp::ruleset) && !has_otherwise(at) && uneven(at, conditions(at));
}
bool passed_over(const RuleView& at) {
  return at.is(PmieOp::ruleset) && conditions(at).size() > 1 && uneven(at, conditions(at));
}

bool condition_is_set(const RuleView& at) {
  return at.is(PmieOp::rule) && at.node().left != kNone && at.left().set;
}

constexpr RuleRow kActions[] = {
    {DiagCode::D_ConditionIsSet, condition_is_set, at_left},
    {DiagCode::D_OtherwiseRuns, otherwise_runs},
    {DiagCode::D_LastKnown, last_known},
    {DiagCode::D_PassedOver, passed_over},
    {DiagCode::D_AllWait, [](const RuleView& at) { return at.is(PmieOp::shell); }},
    {DiagCode::D_PrintsNull, nothing_left},
    {DiagCode::D_SelectorsStay, selectors_stay},
    {DiagCode::D_UnknownSelector,
     [](const RuleView& at) {
       return is_verb(at) &&
              (any_argument(at, has_other_selector) || !mistaken_selector(at).empty());
     }},
    {DiagCode::D_NumberCut, prints_number},
};

}  // namespace

// Finds %{value}, a lone %s as in printf, and %instance, where pmie reads %i. Commands have letters
// of their own, such as `date +%s`.
std::string_view mistaken_selector(const RuleView& at) {
  constexpr std::string_view kWords[] = {"%host", "%inst", "%val", "%idle", "%iowait"};
  for (const std::string_view text : at.node().arguments) {
    for (size_t i = text.find('%'); i != text.npos; i = text.find('%', i + 1)) {
      const std::string_view rest = text.substr(i);
      if (rest.starts_with("%{"))
        return rest.substr(0, std::min(rest.find('}'), rest.size() - 1) + 1);
      if (at.is(PmieOp::shell)) continue;
      const auto end = std::ranges::find_if_not(rest.substr(1), is_letter);
      const std::string_view word(rest.begin(), end);
      const bool lone = word.size() == 2 && (end == rest.end() || !is_digit(*end));
      if (lone && !kSelectors.contains(word[1])) return word;
      const bool known =
          std::ranges::any_of(kWords, [&](std::string_view one) { return rest.starts_with(one); });
      if (known) return word;
    }
  }
  return {};
}

// What strict takes for a selector that there is not, or for a single %.
bool is_other_selector(std::string_view text, size_t percent) {
  const char next = percent + 1 < text.size() ? text[percent + 1] : ' ';
  return next == '%' || (is_letter(next) && !kSelectors.contains(next));
}

std::span<const RuleRow> rule_action_rows() { return kActions; }

}  // namespace pmjit::pmie
