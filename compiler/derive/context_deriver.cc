#include "compiler/derive/context_deriver.h"

#include <fmt/format.h>

#include "compiler/pcp/value_set.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_type.h"

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
  const DerivedMetric* metric = registry_.find(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  const Bound* found = bound(*metric);
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

std::span<const PmId> ContextDeriver::operands(PmId pmid) {
  const DerivedMetric* metric = registry_.find(pmid);
  const Bound* found = metric == nullptr ? nullptr : bound(*metric);
  if (found == nullptr || found->evaluation == nullptr) return {};
  return found->evaluation->tree().operands;
}

// One that is being bound asks for itself: refused. So is a chain of metrics that is too long for
// the stack.
ContextDeriver::Bound* ContextDeriver::bound(const DerivedMetric& metric) {
  if (bound_.size() < registry_.metrics().size()) bound_.resize(registry_.metrics().size());
  const auto at = static_cast<size_t>((metric.pmid >> 10 & 4095) * 1023 + (metric.pmid & 1023) - 1);
  if (bound_[at].state == State::unbound && binding_ < limits::kNestingMax) {
    bound_[at].state = State::binding;
    ++binding_;
    Bound made;
    bind(metric, made);
    bound_[at] = std::move(made);
    --binding_;
  }
  return bound_[at].state == State::bound ? &bound_[at] : nullptr;
}

void ContextDeriver::bind(const DerivedMetric& metric, Bound& out) {
  out.state = State::bound;
  if (metric.expression == nullptr) {
    out.desc = {.pmid = metric.pmid, .pm_type = pm_type::u32, .semantics = Semantics::discrete};
    return;
  }
  auto tree =
      pcp::bind(*metric.expression, *this,
                {.dialect = metric.dialect, .missing_are_novalue = registry_.missing_are_novalue});
  if (!tree) {
    out.state = State::invalid;
    const pcp::BindError& wrong = tree.error();
    if (wrong.message.empty()) return;
    say_(fmt::format("Semantic error: derived metric {}: {}: {}\n", metric.name, wrong.what,
                     wrong.message));
    return;
  }
  out.desc = tree->desc();
  out.desc.pmid = metric.pmid;
  out.evaluation =
      std::make_unique<pcp::Evaluation>(std::make_shared<const pcp::Tree>(*std::move(tree)));
}

void ContextDeriver::evaluate(PmId pmid, const Fetched& fetched, FetchedSet& out) {
  out.pmid = pmid;
  out.values.clear();
  const DerivedMetric* metric = registry_.find(pmid);
  Bound* found = metric == nullptr ? nullptr : bound(*metric);
  if (found == nullptr) {
    out.count = pm_err::E_PMID;
    return;
  }
  if (found->evaluation == nullptr) {
    out.count = 0;
    return;
  }
  if (blocks_used_ == blocks_.size()) blocks_.emplace_back();
  pcp::put_values(
      found->evaluation->run({.stamp = fetched.stamp, .sets = fetched.sets, .domains = *this}),
      found->desc, blocks_[blocks_used_++], out);
}

OrPmError<pcp::Names::Found> ContextDeriver::find(std::string_view name) {
  if (const auto recorded = recorded_.look_up(name)) return Found{*recorded, false};
  const auto derived = look_up(name);
  if (!derived) return pm_fail(pm_err::E_NAME);
  return Found{*derived, true};
}

OrPmError<Desc> ContextDeriver::desc_of(PmId pmid) {
  return registry_.find(pmid) != nullptr ? describe(pmid) : recorded_.describe(pmid);
}

OrPmError<int32_t> ContextDeriver::instance_id(InDomId indom, std::string_view name) {
  return recorded_.instance_id(indom, name);
}

OrPmError<std::string> ContextDeriver::instance_name(InDomId indom, int32_t instance) {
  return recorded_.instance_name(indom, instance);
}

OrPmError<std::vector<int32_t>> ContextDeriver::instances(InDomId indom) {
  return recorded_.instances(indom);
}

}  // namespace pmjit
