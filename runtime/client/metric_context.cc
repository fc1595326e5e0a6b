#include "runtime/client/metric_context.h"

#include <algorithm>

namespace pmjit {

namespace {

void add_once(std::vector<PmId>& out, PmId pmid) {
  if (std::ranges::find(out, pmid) == out.end()) out.push_back(pmid);
}

template <class T>
OrPmError<T> as_pm_error(const OrPmCode<T>& found) {
  if (!found) return pm_fail(found.error());
  return *found;
}

}  // namespace

MetricContext::MetricContext(const Archives& archives, BadVolumes bad_volumes,
                             DerivedMetrics& derived)
    : archives_(archives), replay_(archives, bad_volumes), deriver_(derived.attach(*this)) {
  for (const Deriver::Metric& metric : deriver_->metrics()) derived_names_.add(metric.name);
}

// Children of both kinds; a name without any is a metric. What has nothing derived below is taken
// as it is. False: nothing is there.
bool MetricContext::walk(const std::string& name, std::vector<Leaf>& out) {
  const auto derived = derived_names_.children(name);
  if (!derived) {
    const auto leaves = metadata().names.leaves(name);
    if (!leaves) return false;
    for (const NameSpace::Leaf& leaf : *leaves) out.push_back({std::string(leaf.name), leaf.pmid});
    return true;
  }
  const auto recorded = metadata().names.children(name);
  std::vector<std::string_view> parts;
  if (recorded) {
    for (const NameSpace::Child& child : *recorded) parts.push_back(child.name);
  }
  const auto count = static_cast<ptrdiff_t>(parts.size());
  for (const std::string& part : *derived) {
    const auto end = parts.begin() + count;
    if (std::find(parts.begin(), end, part) == end) parts.push_back(part);
  }
  if (parts.empty()) {
    const PmId pmid = look_up_metric(name).value_or(kNullId);
    if (!deriver_->lists_unusable() && !describe_metric(pmid)) return false;
    out.push_back({name, pmid});
    return true;
  }
  bool any = name.empty();
  for (const std::string_view part : parts) {
    any |= walk(name.empty() ? std::string(part) : name + "." + std::string(part), out);
  }
  return any;
}

std::optional<std::vector<MetricContext::Leaf>> MetricContext::leaves(std::string_view name) {
  std::vector<Leaf> out;
  if (!walk(std::string(name), out)) return std::nullopt;
  return out;
}

OrPmError<PmId> MetricContext::look_up_metric(std::string_view name) const {
  const auto recorded = look_up(name);
  if (recorded) return recorded;
  const auto derived = deriver_->look_up(name);
  return derived ? derived : recorded;
}

std::vector<std::string_view> MetricContext::names(PmId pmid) const {
  auto found = metadata().names.names(pmid);
  if (!found.empty()) return found;
  const std::string_view derived = deriver_->name(pmid);
  if (!derived.empty()) found.push_back(derived);
  return found;
}

OrPmError<Desc> MetricContext::describe_metric(PmId pmid) {
  const auto recorded = describe(pmid);
  if (recorded) return recorded;
  const auto derived = deriver_->describe(pmid);
  return derived || derived.error() != pm_err::E_PMID ? derived : recorded;
}

OrPmError<std::string_view> MetricContext::metric_text(TextKind kind, PmId pmid) const {
  if (!derived(pmid)) return as_pm_error(metadata().texts.look_up(kind, TextOf::metric, pmid));
  return kind == TextKind::help ? deriver_->help(pmid) : deriver_->one_line(pmid);
}

std::vector<PmId> MetricContext::recorded_of(std::span<const PmId> metrics) {
  std::vector<PmId> out;
  for (const PmId pmid : metrics) {
    if (!derived(pmid)) add_once(out, pmid);
  }
  for (const PmId pmid : metrics) {
    if (!derived(pmid)) continue;
    for (const PmId operand : deriver_->operands(pmid)) add_once(out, operand);
  }
  return out;
}

// Without operands the time still has to come from somewhere: the next record, or the grid.
Result<void> MetricContext::fetch_recorded(std::span<const PmId> recorded, const Profile& profile) {
  if (!recorded.empty()) return replay_.fetch(recorded, profile, fetched_);
  if (replay_.mode() == ReplayMode::interpolated) {
    return replay_.fetch({&kNullId, 1}, profile, fetched_);
  }
  do {
    if (auto read = replay_.fetch_record(fetched_, kNullId); !read) return read;
  } while (fetched_.sets.empty());
  return {};
}

Result<void> MetricContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                  Fetched& out) {
  if (std::ranges::none_of(metrics, [&](PmId pmid) { return derived(pmid); })) {
    return replay_.fetch(metrics, profile, out);
  }
  if (auto done = fetch_recorded(recorded_of(metrics), profile); !done) return done;
  const bool any_bound =
      std::ranges::any_of(metrics, [&](PmId pmid) { return deriver_->describe(pmid).has_value(); });
  const bool between = replay_.mode() == ReplayMode::interpolated;
  deriver_->begin_fetch();
  out.stamp = fetched_.stamp;
  out.sets.resize(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    FetchedSet& set = out.sets[i];
    if (derived(metrics[i])) {
      if (any_bound) {
        deriver_->evaluate(metrics[i], fetched_, set);
      } else {
        set = {.pmid = metrics[i], .count = between ? int{pm_err::E_PMID_LOG} : 0};
      }
      continue;
    }
    const auto found = std::ranges::find(fetched_.sets, metrics[i], &FetchedSet::pmid);
    set = found != fetched_.sets.end() ? *found : FetchedSet{.pmid = metrics[i]};
  }
  return {};
}

OrPmError<PmId> MetricContext::look_up(std::string_view name) const {
  return as_pm_error(metadata().names.look_up(name));
}

OrPmError<Desc> MetricContext::describe(PmId pmid) const {
  const Desc* desc = metadata().desc(pmid);
  if (desc == nullptr) return pm_fail(pm_err::E_PMID_LOG);
  return *desc;
}

OrPmError<int32_t> MetricContext::instance_id(InDomId indom, std::string_view name) const {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  return as_pm_error(domain->id_at(name, replay_.now()));
}

OrPmError<std::string> MetricContext::instance_name(InDomId indom, int32_t instance) const {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  const auto name = domain->name_at(instance, fetched_.stamp);
  if (!name) return pm_fail(name.error());
  return std::string(*name);
}

OrPmError<std::vector<int32_t>> MetricContext::instances(InDomId indom) const {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  std::vector<int32_t> out;
  for (const NamedInstance& instance : domain->instances_ever()) out.push_back(instance.id);
  return out;
}

std::vector<Catalog::Instance> MetricContext::instances_ever(InDomId indom) const {
  std::vector<Catalog::Instance> out;
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return out;
  for (const NamedInstance& instance : domain->instances_ever()) {
    out.push_back({.id = instance.id, .name = std::string(instance.name)});
  }
  std::ranges::sort(out, {}, &Catalog::Instance::id);
  return out;
}

}  // namespace pmjit
