// Which instances and hosts meet, and under which name (spec dialects.md §9).
#include <algorithm>
#include <set>

#include "compiler/compat/pmie/unmatched.h"
#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

// Two sets side by side whose instances come from different metrics.
bool two_sets(const RuleView& at) {
  const bool pairs = at.is(OpKind::arithmetic) || at.is(OpKind::relation) || at.is(OpKind::logic);
  if (!pairs || !at.has_two()) return false;
  const RuleFacts &a = at.left(), &b = at.right();
  return a.set && b.set && (a.several || b.several) && a.sets != b.sets;
}
bool domains_known(const RuleView& at) {
  return at.left().indom != kNullId && at.right().indom != kNullId;
}
bool domains_differ(const RuleView& at) {
  return two_sets(at) && (!domains_known(at) || at.left().indom != at.right().indom);
}
// Of one domain, or who knows.
bool may_miss_each_other(const RuleView& at) {
  return two_sets(at) && (!domains_known(at) || at.left().indom == at.right().indom);
}

bool first_host_only(const RuleView& at) {
  const bool pairs = at.is(OpKind::arithmetic) || at.is(OpKind::relation) || at.is(OpKind::logic);
  if (!pairs || !at.has_two()) return false;
  const bool left = !at.node().left_is_set && at.left_node().shape.span() > 1;
  const bool right = !at.node().right_is_set && at.right_node().shape.span() > 1;
  return left || right;
}

bool not_ascending(const RuleView& at) {
  if (!lists_several(at)) return false;
  return !at.is_known() || !std::ranges::is_sorted(at.fetch().hosts.front().instances(), {},
                                                   &HostMetric::Instance::id);
}

// Of the domain that a listed instance belongs to: all that were ever recorded. Empty: not known.
std::vector<Catalog::Instance> domain_of(const RuleView& at, const HostMetric& metric) {
  if (at.metrics == nullptr) return {};
  auto all = at.metrics->instances(metric.source, metric.desc.indom);
  return all ? *std::move(all) : std::vector<Catalog::Instance>();
}
std::string first_word(const std::string& name) { return name.substr(0, name.find(' ')); }

using Listed = HostMetric::Instance;

// Is there a listed instance of which that is so, beside all of its domain? Yes where who knows.
template <class Question>
bool any_listed(const RuleView& at, const Question& question) {
  if (!at.is_fetch() || !at.fetch().instances_listed) return false;
  if (!at.is_known()) return true;
  return std::ranges::any_of(at.fetch().hosts, [&](const HostMetric& metric) {
    const auto all = domain_of(at, metric);
    return std::ranges::any_of(metric.instances(),
                               [&](const Listed& listed) { return question(listed, all); });
  });
}

// Whether strict takes another instance: the full name, else a first word that is unique.
bool first_word_matters(const RuleView& at) {
  return any_listed(at, [](const Listed& listed, const auto& all) {
    std::set<int32_t> full, words;
    bool there = false;  // live, an instance may come later
    for (const auto& one : all) {
      there = there || one.id == listed.id;
      if (one.name == listed.name) full.insert(one.id);
      if (first_word(one.name) == listed.name) words.insert(one.id);
    }
    const auto& strict = full.empty() ? words : full;
    const bool alike = !strict.empty() && strict.contains(listed.id);
    return there && (!alike || (full.empty() && words.size() > 1));
  });
}

// A name that another identifier has had, or may have.
bool identifier_changes(const RuleView& at) {
  return any_listed(at, [](const Listed& listed, const auto& all) {
    return std::ranges::any_of(
        all, [&](const auto& one) { return one.name == listed.name && one.id != listed.id; });
  });
}

bool matches(const RuleView& at) {
  return at.is(PmieOp::match_inst) || at.is(PmieOp::nomatch_inst);
}

// A quantity of those that match is not changed by the others.
bool some_do_not_match(const RuleView& at) {
  if (!matches(at) || !at.left().set) return false;
  if (at.user() != kNone && at.program.nodes[at.user()].op == PmieOp::count) return false;
  const uint32_t metrics = at.node().metrics;
  if (metrics == kNone || !at.program.fetches[metrics].is_known()) return true;
  const bool wanted = at.is(PmieOp::match_inst);
  for (const HostMetric& metric : at.program.fetches[metrics].hosts) {
    for (const auto& instance : metric.instances()) {
      if (at.node().pattern.matches(instance.name) != wanted) return true;
    }
  }
  return false;
}

bool over_hosts(const RuleView& at) {
  return at.node().dim == Dim::host && at.left().set && at.left().several;
}
bool of_each_host(const RuleView& at) {
  return at.node().dim == Dim::inst && at.left_node().shape.hosts > 1;
}

std::string listed_names(const RuleView& at) {
  std::string out;
  for (const auto& instance : at.fetch().hosts.front().instances()) {
    out += (out.empty() ? "#" : " #") + instance.name;
  }
  return out;
}
std::string hide(const RuleView&) { return "hide all"; }
std::string as_written(const RuleView&) { return "as written"; }
std::string identifier(const RuleView&) { return "identifier"; }
std::string no_instance(const RuleView&) { return "a metric without instances never matches"; }

constexpr RuleRow kInstances[] = {
    {DiagCode::D_SetsByPosition, may_miss_each_other},
    {DiagCode::D_FetchOrder, not_ascending, at_sign, as_written},
    {DiagCode::D_Unmatched, may_miss_each_other, at_sign, hide},
    {DiagCode::D_OtherDomain, domains_differ},
    {DiagCode::D_FirstHostOnly, first_host_only},
    {DiagCode::D_FirstWord, first_word_matters, at_sign, listed_names},
    {DiagCode::D_KeepsFirst, identifier_changes, at_sign, identifier},
    {DiagCode::D_Nameless,
     [](const RuleView& at) {
       return matches(at) && (!at.left().set || at.left().indom == kNullId);
     },
     at_sign, no_instance},
    {DiagCode::D_UnknownMatches,
     [](const RuleView& at) { return matches(at) && at.left().unknowns; }},
    {DiagCode::D_NoMatchIsFalse, some_do_not_match},
    {DiagCode::S_NothingMatches,
     [](const RuleView& at) { return unmatched_pattern(at.program, at.node()).has_value(); },
     at_sign,
     [](const RuleView& at) { return unmatched_pattern(at.program, at.node())->what.text(); }},
    {DiagCode::D_FirstElements, over_hosts},
    {DiagCode::D_FirstHostNamed,
     [](const RuleView& at) { return at.is(OpKind::aggregate) && of_each_host(at); }},
    {DiagCode::D_StaleHosts,
     [](const RuleView& at) {
       return at.is(OpKind::quantifier) && of_each_host(at) && at.left().set;
     }},
    {DiagCode::D_PartialHosts,
     [](const RuleView& at) {
       const bool together = at.is_fetch() && at.fetch().hosts.size() > 1;
       return together && (!at.own().set || at.fetch().instances_listed || !at.is_known());
     }},
};

bool sizes_differ(const RuleView& at) {
  const bool pairs = at.is(OpKind::arithmetic) || at.is(OpKind::relation) || at.is(OpKind::logic);
  if (!pairs || !at.has_two()) return false;
  const PmieShape &a = at.left_node().shape, &b = at.right_node().shape;
  if (a.values() == 1 || b.values() == 1) return false;
  return a != b && (a.held() > 1 || b.held() > 1);
}

constexpr RuleRow kRefused[] = {{DiagCode::D_RangeWithSet, sizes_differ}};

}  // namespace

bool operand_domains_differ(const RuleView& at, uint32_t operand) {
  return any_part(at, operand, domains_differ);
}

std::span<const RuleRow> rule_instance_rows() { return kInstances; }
std::span<const RuleRow> refused_rule_rows() { return kRefused; }

}  // namespace pmjit::pmie
