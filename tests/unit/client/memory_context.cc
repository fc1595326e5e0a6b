#include "tests/unit/client/memory_context.h"

#include <algorithm>

namespace pmjit::test {

PmId MemoryContext::add(std::string name, Desc desc) {
  desc.pmid = static_cast<PmId>(5000 + metrics_.size());
  metrics_.push_back({std::move(name), desc});
  return desc.pmid;
}

void MemoryContext::set_instances(InDomId indom, std::vector<Instance> instances) {
  domains_[indom] = std::move(instances);
}

void MemoryContext::set_instances_elsewhere(std::vector<Instance> instances) {
  elsewhere_ = std::move(instances);
}

const MemoryContext::Metric* MemoryContext::find(PmId pmid) const {
  const auto found =
      std::ranges::find(metrics_, pmid, [](const Metric& metric) { return metric.desc.pmid; });
  return found == metrics_.end() ? nullptr : &*found;
}

std::vector<OrPmError<PmId>> MemoryContext::look_up_names(std::span<const std::string_view> names) {
  std::vector<OrPmError<PmId>> out;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(metrics_, name, &Metric::name);
    if (names_broken_ != 0) {
      out.push_back(pm_fail(names_broken_));
    } else if (found == metrics_.end()) {
      out.push_back(pm_fail(pm_err::E_NAME));
    } else {
      out.push_back(found->desc.pmid);
    }
  }
  return out;
}

OrPmError<std::vector<std::string>> MemoryContext::names(PmId pmid) {
  const Metric* metric = find(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  return std::vector{metric->name};
}

OrPmError<std::vector<Context::Child>> MemoryContext::children(std::string_view name) {
  if (names_broken_ != 0) return pm_fail(names_broken_);
  std::vector<Child> out;
  bool any = name.empty();
  for (const Metric& metric : metrics_) {
    any |= metric.name == name;
    const size_t from = name.empty() ? 0 : name.size() + 1;
    if (metric.name.size() <= from || !metric.name.starts_with(name)) continue;
    if (from > 0 && metric.name[from - 1] != '.') continue;
    any = true;
    const size_t end = metric.name.find('.', from);
    const std::string part = metric.name.substr(from, end - from);
    if (std::ranges::find(out, part, &Child::name) == out.end()) {
      out.push_back({.name = part, .leaf = end == std::string::npos});
    }
  }
  if (!any) return pm_fail(pm_err::E_NAME);
  return out;
}

OrPmError<std::vector<Context::Leaf>> MemoryContext::leaves(std::string_view name) {
  if (names_broken_ != 0) return pm_fail(names_broken_);
  std::vector<Leaf> out;
  const std::string below = std::string(name) + ".";
  for (const Metric& metric : metrics_) {
    if (!name.empty() && metric.name != name && !metric.name.starts_with(below)) continue;
    out.push_back({.name = metric.name, .pmid = metric.desc.pmid});
  }
  if (out.empty() && !name.empty()) return pm_fail(pm_err::E_NAME);
  return out;
}

std::vector<OrPmError<Desc>> MemoryContext::describe_metrics(std::span<const PmId> metrics) {
  std::vector<OrPmError<Desc>> out;
  for (const PmId pmid : metrics) {
    const Metric* metric = find(pmid);
    out.push_back(metric != nullptr ? OrPmError<Desc>(metric->desc) : pm_fail(pm_err::E_PMID_LOG));
  }
  return out;
}

OrPmError<std::string> MemoryContext::metric_text(TextKind kind, PmId pmid) {
  const Metric* metric = find(pmid);
  if (metric == nullptr) return pm_fail(pm_err::E_PMID);
  return (kind == TextKind::help ? "all about " : "about ") + metric->name;
}

OrPmError<std::string> MemoryContext::indom_text(TextKind, InDomId) {
  return pm_fail(pm_err::E_TEXT);
}

OrPmError<std::vector<Context::Instance>> MemoryContext::instances(InDomId indom) {
  const auto found = domains_.find(indom);
  if (found != domains_.end()) return found->second;
  if (elsewhere_) return *elsewhere_;
  return pm_fail(pm_err::E_INDOM_LOG);
}

OrPmError<int32_t> MemoryContext::instance_id(InDomId indom, std::string_view name) {
  const auto all = instances(indom);
  if (!all) return pm_fail(all.error());
  const auto found = std::ranges::find(*all, name, &Instance::name);
  if (found == all->end()) return pm_fail(pm_err::E_INST_LOG);
  return found->id;
}

OrPmError<std::string> MemoryContext::instance_name(InDomId indom, int32_t instance) {
  const auto all = instances(indom);
  if (!all) return pm_fail(all.error());
  const auto found = std::ranges::find(*all, instance, &Instance::id);
  if (found == all->end()) return pm_fail(pm_err::E_INST_LOG);
  return found->name;
}

Result<Fetched> MemoryContext::next(std::span<const PmId> metrics) {
  asked_.emplace_back(metrics.begin(), metrics.end());
  Answer answer{.code = pm_err::E_TIMEOUT};
  if (!answers_.empty()) {
    answer = std::move(answers_.front());
    answers_.pop_front();
  }
  if (answer.code == 0) return std::move(answer.fetched);
  return fail(Error(Fault::not_found, pm_error_text(answer.code)).pm_code(answer.code));
}

Result<void> MemoryContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                  Fetched& out) {
  auto answer = next(metrics);
  if (!answer) return std::unexpected(answer.error());
  out.stamp = answer->stamp;
  out.sets.clear();
  for (const PmId pmid : metrics) {
    const Metric* metric = find(pmid);
    const auto found = std::ranges::find(answer->sets, pmid, &FetchedSet::pmid);
    FetchedSet& set = out.sets.emplace_back(FetchedSet{.pmid = pmid});
    if (metric == nullptr) set.count = unknown_metric_status();
    if (metric == nullptr || found == answer->sets.end()) continue;
    set = *found;
    std::erase_if(set.values, [&](const Value& value) {
      return !profile.wants(metric->desc.indom, value.instance);
    });
    if (set.count > 0) set.count = static_cast<int>(set.values.size());
  }
  return {};
}

Result<void> MemoryContext::fetch_stamp(Fetched& out) {
  auto answer = next({});
  if (!answer) return std::unexpected(answer.error());
  out = {.stamp = answer->stamp};
  return {};
}

OrPmError<void> MemoryContext::store(std::span<const FetchedSet> sets) {
  for (const FetchedSet& set : sets) {
    if (find(set.pmid) == nullptr) return pm_fail(pm_err::E_NOAGENT);
    stored_.push_back(set);
  }
  return {};
}

}  // namespace pmjit::test
