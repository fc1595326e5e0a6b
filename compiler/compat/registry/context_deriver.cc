#include "compiler/compat/registry/context_deriver.h"

#include <fmt/format.h>

#include "compiler/compat/definitions/evaluate.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

std::vector<Deriver::Metric> ContextDeriver::metrics() const {
  std::vector<Metric> out;
  for (const DerivedMetric& metric : registry_.metrics()) {
    out.push_back({.name = metric.name, .pmid = metric.pmid});
  }
  return out;
}

OrPmError<PmId> ContextDeriver::look_up(std::string_view name) const {
  const DerivedMetric* metric = registry_.find(name);
  if (metric == nullptr) return pm_fail(pm_err::E_NAME);
  return metric->pmid;
}

std::string_view ContextDeriver::name(PmId pmid) const {
  const DerivedMetric* metric = registry_.find(pmid);
  return metric == nullptr ? std::string_view{} : std::string_view(metric->name);
}

OrPmError<Desc> ContextDeriver::describe(PmId pmid) {
  if (registry_.find(pmid) == nullptr) return pm_fail(pm_err::E_PMID);
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr) return pm_fail(pm_err::E_BADDERIVE);
  return found->desc;
}

OrPmError<std::string_view> ContextDeriver::one_line(PmId pmid) const {
  const DerivedMetric* metric = registry_.find(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  if (!metric->one_line) return pm_fail(pm_err::E_TEXT);
  return *metric->one_line;
}

OrPmError<std::string_view> ContextDeriver::help(PmId pmid) const {
  const DerivedMetric* metric = registry_.find(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  if (!metric->help) return one_line(pmid);
  return *metric->help;
}

std::string ContextDeriver::refusal(const DerivedMetric& metric, const pcp::BindError& wrong) {
  return fmt::format("Semantic error: derived metric {}: {}: {}\n", metric.name, wrong.what,
                     wrong.message);
}

Bindings::Bound* ContextDeriver::bound(PmId pmid) {
  const DerivedMetric* metric = registry_.find(pmid);
  return metric == nullptr ? nullptr : bindings_.bound(*metric);
}

std::span<const PmId> ContextDeriver::operands(PmId pmid) {
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr) return {};
  if (found->strict != nullptr) return found->strict->operands();
  if (found->tree == nullptr) return {};
  return found->tree->operands;
}

void ContextDeriver::evaluate(PmId pmid, const Fetched& fetched, FetchedSet& out) {
  out.pmid = pmid;
  out.values.clear();
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr) {
    out.count = pm_err::E_PMID;
    return;
  }
  if (found->strict != nullptr) {
    found->strict->evaluate(fetched, fetches_, out);
    out.pmid = pmid;
    return;
  }
  if (found->tree == nullptr) {
    out.count = 0;
    return;
  }
  if (blocks_used_ == blocks_.size()) blocks_.emplace_back();
  pcp::PcpEvaluation& one = evaluation(pmid, *found).one;
  pcp::put_values(one.run({.stamp = fetched.stamp, .sets = fetched.sets, .domains = *this}),
                  found->desc, blocks_[blocks_used_++], out);
}

ContextDeriver::Evaluation& ContextDeriver::evaluation(PmId pmid, const Bindings::Bound& of) {
  const size_t number = Registry::number(pmid);
  if (evaluations_.size() <= number) evaluations_.resize(number + 1);
  if (evaluations_[number] == nullptr) evaluations_[number] = std::make_unique<Evaluation>(of.tree);
  return *evaluations_[number];
}

bool ContextDeriver::goes_ahead(PmId pmid) {
  const Bindings::Bound* found = bound(pmid);
  return found != nullptr && found->tree != nullptr;
}

bool ContextDeriver::evaluate_columns(PmId pmid, std::span<const Stamp> stamps,
                                      std::span<const SetColumn> columns, MadeColumn& out) {
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr || found->tree == nullptr) return false;
  pcp::PcpColumns& many = evaluation(pmid, *found).many;
  if (!many.run({.stamps = stamps, .operands = columns})) return false;
  out = {.instances = many.instances(), .values = many.values().data()};
  return true;
}

OrPmError<pcp::BindContext::Found> ContextDeriver::find(std::string_view name) {
  const auto recorded = recorded_.look_up(name);
  if (!recorded) return pm_fail(recorded.error());
  return Found{*recorded, false};
}

OrPmError<Desc> ContextDeriver::desc_of(PmId pmid) { return recorded_.describe(pmid); }

OrPmError<int32_t> ContextDeriver::instance_id(InDomId indom, std::string_view name) {
  return recorded_.instance_id(indom, name);
}

OrPmError<std::string> ContextDeriver::instance_name(InDomId indom, int32_t instance) {
  return recorded_.instance_name(indom, instance);
}

OrPmError<std::vector<int32_t>> ContextDeriver::instances(InDomId indom) {
  const auto all = recorded_.instances_ever(indom);
  if (!all) return pm_fail(all.error());
  std::vector<int32_t> out;
  for (const Context::Instance& instance : *all) out.push_back(instance.id);
  return out;
}

// One that is being bound asks for itself: refused. So is a chain of metrics that is too long for
// the stack.
Bindings::Bound* Bindings::bound(const DerivedMetric& metric) {
  if (entries_.size() < registry_.metrics().size()) entries_.resize(registry_.metrics().size());
  const size_t at = Registry::number(metric.pmid);
  if (entries_[at].state == State::unbound && binding_ < limits::kNestingMax) {
    entries_[at].state = State::binding;
    ++binding_;
    Entry made;
    bind(metric, made);
    entries_[at] = std::move(made);
    --binding_;
  }
  return entries_[at].state == State::bound ? &entries_[at].bound : nullptr;
}

void Bindings::bind(const DerivedMetric& metric, Entry& out) {
  out.state = State::bound;
  if (metric.dialect == Dialect::strict) return bind_strict(metric, out);
  if (metric.expression == nullptr) {
    out.bound.desc = {
        .pmid = metric.pmid, .pm_type = pm_type::u32, .semantics = Semantics::discrete};
    return;
  }
  auto tree = pcp::bind(*metric.expression, *this,
                        {.dialect = metric.dialect,
                         .missing_are_novalue = registry_.missing_are_novalue,
                         .equivalent = &registry_.equivalent_domains});
  if (!tree) {
    out.state = State::invalid;
    return refused_(metric, tree.error());
  }
  out.bound.desc = tree->desc();
  out.bound.desc.pmid = metric.pmid;
  out.bound.tree = std::make_shared<const pcp::PcpTree>(*std::move(tree));
}

void Bindings::bind_strict(const DerivedMetric& metric, Entry& out) {
  out.bound.strict = bind_strict_(metric);
  if (out.bound.strict == nullptr) {
    out.state = State::invalid;
    return;
  }
  out.bound.desc = out.bound.strict->desc();
  out.bound.desc.pmid = metric.pmid;
}

OrPmError<pcp::BindContext::Found> Bindings::find(std::string_view name) {
  if (auto found = recorded_.find(name)) return found;
  const DerivedMetric* metric = registry_.find(name);
  if (metric == nullptr) return pm_fail(pm_err::E_NAME);
  return Found{metric->pmid, true};
}

OrPmError<Desc> Bindings::desc_of(PmId pmid) {
  const DerivedMetric* metric = registry_.find(pmid);
  if (metric == nullptr) return recorded_.desc_of(pmid);
  const Bound* found = bound(*metric);
  if (found == nullptr) return pm_fail(pm_err::E_BADDERIVE);
  return found->desc;
}

}  // namespace pmjit
