#include "compiler/compat/registry/bindings.h"

#include "runtime/base/limits.h"
#include "runtime/model/pm_type.h"

namespace pmjit {

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
