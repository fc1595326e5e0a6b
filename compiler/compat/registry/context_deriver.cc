#include "compiler/compat/registry/context_deriver.h"

#include <fmt/format.h>

#include "compiler/compat/definitions/evaluate.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// 511.2047.1023, 511.2047.1022 … 511.2047.1, 511.2046.1023 …
constexpr uint32_t kOwnItems = 1023, kOwnClusters = 2048;
std::optional<PmId> own_pmid(uint32_t number) {
  if (number >= kOwnItems * kOwnClusters) return std::nullopt;
  const uint32_t cluster = kOwnClusters - 1 - number / kOwnItems;
  const uint32_t item = kOwnItems - number % kOwnItems;
  return 511u << 22 | cluster << 10 | item;
}

}  // namespace

const DerivedMetric* OwnMetrics::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &metrics_[found->second];
}

std::optional<size_t> OwnMetrics::number(PmId pmid) const {
  const auto found = by_pmid_.find(pmid);
  if (found == by_pmid_.end()) return std::nullopt;
  return found->second;
}

DerivedMetric* OwnMetrics::find_to_change(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &metrics_[found->second];
}

bool OwnMetrics::remove(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  DerivedMetric& metric = metrics_[found->second];
  metric.removed = true;
  by_pmid_.erase(metric.pmid);
  by_name_.erase(found);
  return true;
}

void OwnMetrics::add(DerivedMetric metric) {
  metrics_.push_back(std::move(metric));
  by_name_.emplace(metrics_.back().name, metrics_.size() - 1);
  by_pmid_[metrics_.back().pmid] = metrics_.size() - 1;
}

std::optional<DefinitionRefusal> ContextDeriver::define(std::string_view name,
                                                        std::string_view expression) {
  using Kind = DefinitionRefusal::Kind;
  if (limit_ >= 0 && own_.count() >= static_cast<size_t>(limit_)) {
    return DefinitionRefusal{.message = "Too many per-context derived metrics"};
  }
  if (own_.find(name) != nullptr) {
    return DefinitionRefusal{.message = "Duplicate per-context derived metric name"};
  }
  auto ast = pcp::parse(expression, registry_.dialect(), own_in_pattern_);
  if (!ast) {
    return DefinitionRefusal{Kind::syntax, ast.error().offset, std::move(ast.error().message)};
  }
  if (own_.all().empty()) registry_.own_numbers = 0;
  const auto pmid = own_pmid(registry_.own_numbers++);
  if (!pmid) return DefinitionRefusal{.message = "per-context PMID space exhausted"};
  own_.add({.name = std::string(name),
            .pmid = *pmid,
            .dialect = registry_.dialect(),
            .expression = std::make_shared<const Ast>(*std::move(ast))});
  own_refusal_.clear();
  if (bound(*pmid) != nullptr || own_refusal_.empty()) return std::nullopt;
  return DefinitionRefusal{.kind = Kind::meaning, .message = own_refusal_};
}

std::vector<Deriver::Metric> ContextDeriver::metrics() const {
  std::vector<Metric> out;
  for (const DerivedMetric& metric : registry_.metrics()) {
    if (metric.removed || own_.find(metric.name) != nullptr) continue;
    out.push_back({.name = metric.name, .pmid = metric.pmid});
  }
  for (const DerivedMetric& metric : own_.all()) {
    if (metric.removed) continue;
    out.push_back({.name = metric.name, .pmid = metric.pmid});
  }
  return out;
}

OrPmError<void> ContextDeriver::add_text(std::string_view name, TextKind kind,
                                         std::string_view text) {
  DerivedMetric* metric = own_.find_to_change(name);
  if (metric == nullptr) return pm_fail(pm_err::E_NAME);
  return pmjit::add_text(*metric, kind, text);
}

const DerivedMetric* ContextDeriver::metric_of(PmId pmid) const {
  if (const auto number = own_.number(pmid)) return &own_.all()[*number];
  return registry_.find(pmid);
}

OrPmError<PmId> ContextDeriver::look_up(std::string_view name) const {
  const DerivedMetric* metric = own_.find(name);
  if (metric == nullptr) metric = registry_.find(name);
  if (metric == nullptr) return pm_fail(pm_err::E_NAME);
  return metric->pmid;
}

std::string_view ContextDeriver::name(PmId pmid) const {
  const DerivedMetric* metric = metric_of(pmid);
  return metric == nullptr ? std::string_view{} : std::string_view(metric->name);
}

OrPmError<Desc> ContextDeriver::describe(PmId pmid) {
  if (metric_of(pmid) == nullptr) return pm_fail(pm_err::E_PMID);
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr) return pm_fail(pm_err::E_BADDERIVE);
  return found->desc;
}

OrPmError<std::string_view> ContextDeriver::one_line(PmId pmid) const {
  const DerivedMetric* metric = metric_of(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  // Those of a context had no texts before 6.0.4, and it says so.
  const bool own = own_.number(pmid).has_value();
  if (!metric->one_line) return pm_fail(own ? pm_err::E_PMID : pm_err::E_TEXT);
  return *metric->one_line;
}

OrPmError<std::string_view> ContextDeriver::help(PmId pmid) const {
  const DerivedMetric* metric = metric_of(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  if (!metric->help) return one_line(pmid);
  return *metric->help;
}

std::string ContextDeriver::refusal(const DerivedMetric& metric, const pcp::BindError& wrong) {
  return fmt::format("Semantic error: derived metric {}: {}: {}\n", metric.name, wrong.what,
                     wrong.message);
}

Bindings::Bound* ContextDeriver::bound(PmId pmid) {
  const DerivedMetric* metric = metric_of(pmid);
  return metric == nullptr ? nullptr : bindings_.bound(*metric);
}

std::span<const PmId> ContextDeriver::operands(PmId pmid) {
  const Bindings::Bound* found = bound(pmid);
  if (found == nullptr) return {};
  if (found->strict != nullptr) return found->strict->operands();
  if (found->tree == nullptr) return {};
  return found->tree->asked;
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
  const bool own = own_.number(pmid).has_value();
  if (!own && evaluations_.size() <= number) evaluations_.resize(number + 1);
  std::unique_ptr<Evaluation>& out = own ? own_evaluations_[pmid] : evaluations_[number];
  if (out == nullptr) out = std::make_unique<Evaluation>(of.tree);
  return *out;
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
  if (entry_of(metric).state == State::unbound && binding_ < limits::kNestingMax) {
    entry_of(metric).state = State::binding;
    ++binding_;
    Entry made;
    bind(metric, made);
    entry_of(metric) = std::move(made);
    --binding_;
  }
  Entry& entry = entry_of(metric);
  return entry.state == State::bound ? &entry.bound : nullptr;
}

Bindings::Entry& Bindings::entry_of(const DerivedMetric& metric) {
  if (const auto own = own_ == nullptr ? std::nullopt : own_->number(metric.pmid)) {
    if (own_entries_.size() <= *own) own_entries_.resize(*own + 1);
    return own_entries_[*own];
  }
  if (entries_.size() < registry_.metrics().size()) entries_.resize(registry_.metrics().size());
  return entries_[Registry::number(metric.pmid)];
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
  const DerivedMetric* metric = own_ == nullptr ? nullptr : own_->find(name);
  if (metric == nullptr) metric = registry_.find(name);
  if (metric == nullptr) return pm_fail(pm_err::E_NAME);
  return Found{metric->pmid, true};
}

OrPmError<Desc> Bindings::desc_of(PmId pmid) {
  const auto own = own_ == nullptr ? std::nullopt : own_->number(pmid);
  const DerivedMetric* metric = own ? &own_->all()[*own] : registry_.find(pmid);
  if (metric == nullptr) return recorded_.desc_of(pmid);
  const Bound* found = bound(*metric);
  if (found == nullptr) return pm_fail(pm_err::E_BADDERIVE);
  return found->desc;
}

}  // namespace pmjit
