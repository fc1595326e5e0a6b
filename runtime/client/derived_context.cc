#include "runtime/client/derived_context.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

void add_once(std::vector<PmId>& out, PmId pmid) {
  if (std::ranges::find(out, pmid) == out.end()) out.push_back(pmid);
}

std::string below(std::string_view name, std::string_view part) {
  std::string out(name);
  if (!out.empty()) out += '.';
  return out.append(part);
}

}  // namespace

DerivedContext::DerivedContext(std::unique_ptr<Context> source, DerivedMetrics& derived)
    : source_(std::move(source)), deriver_(derived.attach(*source_)) {}

void DerivedContext::derive_anew(DerivedMetrics& derived) {
  ahead_.reset();
  deriver_ = derived.attach(*source_);
  names_known_ = 0;
}

const DerivedNames& DerivedContext::derived_names() {
  if (names_known_ == deriver_->count()) return derived_names_;
  derived_names_ = {};
  for (const Deriver::Metric& metric : deriver_->metrics()) derived_names_.add(metric.name);
  names_known_ = deriver_->count();
  return derived_names_;
}

std::vector<OrPmError<PmId>> DerivedContext::look_up_names(
    std::span<const std::string_view> names) {
  auto out = source_->look_up_names(names);
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i]) continue;
    if (const auto derived = deriver_->look_up(names[i])) out[i] = *derived;
  }
  return out;
}

OrPmError<std::vector<std::string>> DerivedContext::names(PmId pmid) {
  auto found = source_->names(pmid);
  if (found) return found;
  const std::string_view derived = deriver_->name(pmid);
  if (derived.empty()) return found;
  return std::vector{std::string(derived)};
}

// The source's first. A name that has others below it, of either kind, is no leaf.
OrPmError<std::vector<Context::Child>> DerivedContext::merged_children(std::string_view name) {
  auto out = source_->children(name);
  const auto derived = derived_names().children(name);
  if (!derived) return out;
  if (!out && out.error() != pm_err::E_NAME) return out;
  if (!out) out.emplace();
  for (Child& child : *out) {
    const auto more = derived_names().children(below(name, child.name));
    child.leaf = child.leaf && (!more || more->empty());
  }
  for (const std::string& part : *derived) {
    if (std::ranges::find(*out, part, &Child::name) != out->end()) continue;
    out->push_back({.name = part, .leaf = derived_names().children(below(name, part))->empty()});
  }
  return out;
}

OrPmError<std::vector<Context::Child>> DerivedContext::children(std::string_view name) {
  auto merged = merged_children(name);
  if (!merged || deriver_->lists_unusable() || !derived_names().children(name)) return merged;
  std::vector<Child> out;
  for (Child& child : *merged) {
    std::vector<Leaf> ignored;
    const std::string whole = below(name, child.name);
    const auto any = derived_names().children(whole) ? walk(whole, ignored) : OrPmError<bool>(true);
    if (!any) return pm_fail(any.error());
    if (*any) out.push_back(std::move(child));
  }
  return out;
}

// Leaves at or below a name, in their order. False: nothing is there. A name may have thousands of
// parts, so nothing here calls itself.
OrPmError<bool> DerivedContext::walk(const std::string& name, std::vector<Leaf>& out) {
  bool any = false;
  std::vector<std::string> left{name};  // the next one is the last
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    const auto found = take_name(next, out, left);
    if (!found) return found;
    any |= *found;
  }
  return any;
}

// Damaged archives have names whose first part is empty: they are below no name but the root's.
void DerivedContext::take_nameless(std::vector<Leaf>& out) {
  auto leaves = source_->leaves("");
  if (!leaves) return;
  for (Leaf& leaf : *leaves) {
    if (leaf.name.empty() || leaf.name.front() == '.') out.push_back(std::move(leaf));
  }
}

// Children of both kinds are left; a name without any is a metric. What has nothing derived below
// is taken as it is. False: nothing is there, or it is not known yet.
OrPmError<bool> DerivedContext::take_name(const std::string& name, std::vector<Leaf>& out,
                                          std::vector<std::string>& left) {
  if (!derived_names().children(name)) {
    auto leaves = source_->leaves(name);
    if (leaves) std::ranges::move(*leaves, std::back_inserter(out));
    if (leaves || leaves.error() == pm_err::E_NAME) return leaves.has_value();
    return pm_fail(leaves.error());
  }
  const auto parts = merged_children(name);
  if (!parts) return pm_fail(parts.error());
  if (parts->empty()) {
    const PmId pmid = look_up(name).value_or(kNullId);
    if (!deriver_->lists_unusable() && !describe(pmid)) return false;
    out.push_back({name, pmid});
    return true;
  }
  for (auto part = parts->rbegin(); part != parts->rend(); ++part) {
    if (name.empty() && part->name.empty()) {
      take_nameless(out);
    } else {
      left.push_back(below(name, part->name));
    }
  }
  return name.empty();
}

// The host's leaves, then derived metrics at or below the name as they were registered. Those that
// the host has itself, or that cannot be bound, are left out.
OrPmError<std::vector<Context::Leaf>> DerivedContext::leaves_at_once(std::string_view name) {
  auto out = source_->leaves(name);
  if (!out && out.error() != pm_err::E_NAME) return out;
  std::unordered_set<std::string_view> listed;
  if (out) {
    for (const Leaf& leaf : *out) listed.insert(leaf.name);
  }
  const std::string above = below(name, "");
  std::vector<Leaf> derived;
  for (const Deriver::Metric& metric : deriver_->metrics()) {
    if (metric.name != name && !metric.name.starts_with(above)) continue;
    if (listed.contains(metric.name) || !deriver_->describe(metric.pmid)) continue;
    derived.push_back({.name = std::string(metric.name), .pmid = metric.pmid});
  }
  if (derived.empty()) return out;
  if (!out) out.emplace();
  std::ranges::move(derived, std::back_inserter(*out));
  return out;
}

OrPmError<std::vector<Context::Leaf>> DerivedContext::leaves(std::string_view name) {
  if (source_->lists_leaves_at_once()) return leaves_at_once(name);
  std::vector<Leaf> out;
  const auto any = walk(std::string(name), out);
  if (!any) return pm_fail(any.error());
  if (!*any) return pm_fail(pm_err::E_NAME);
  return out;
}

std::vector<OrPmError<Desc>> DerivedContext::describe_metrics(std::span<const PmId> metrics) {
  auto out = source_->describe_metrics(metrics);
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i]) continue;
    const auto derived = deriver_->describe(metrics[i]);
    if (derived || derived.error() != pm_err::E_PMID) out[i] = derived;
  }
  return out;
}

OrPmError<std::string> DerivedContext::metric_text(TextKind kind, PmId pmid) {
  if (!derived(pmid)) return source_->metric_text(kind, pmid);
  const auto text = kind == TextKind::help ? deriver_->help(pmid) : deriver_->one_line(pmid);
  if (!text) return pm_fail(text.error());
  return std::string(*text);
}

std::vector<PmId> DerivedContext::recorded_of(std::span<const PmId> metrics) {
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

Result<void> DerivedContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) {
  if (std::ranges::none_of(metrics, [&](PmId pmid) { return derived(pmid); })) {
    ahead_.reset();
    return source_->fetch(metrics, profile, out);
  }
  if (serves_ahead(metrics, profile, out)) return {};
  // Without operands the time still has to come from somewhere.
  const auto recorded = recorded_of(metrics);
  fetched_.in_columns = out.in_columns;
  auto done = recorded.empty() ? source_->fetch_stamp(fetched_)
                               : source_->fetch(recorded, profile, fetched_);
  if (!done) return done;
  profile_ = profile;
  answer(metrics, out);
  return {};
}

// What was evaluated ahead is taken from there, for the history of its metrics is beyond it. Where
// nothing more comes the source fetches on.
bool DerivedContext::serves_ahead(std::span<const PmId> metrics, const Profile& profile,
                                  Fetched& out) {
  if (ahead_ == nullptr) return false;
  if (out.in_columns && ahead_->serves(metrics, profile) && ahead_->load()) {
    ahead_->serve(out);
    return true;
  }
  ahead_.reset();
  return false;
}

AheadTimes* DerivedContext::ahead(std::span<const PmId> metrics) {
  if (std::ranges::none_of(metrics, [&](PmId metric) { return derived(metric); })) {
    return source_->ahead(metrics);
  }
  if (ahead_ != nullptr) return ahead_->serves(metrics, profile_) ? ahead_.get() : nullptr;
  AheadTimes* const source = source_->ahead(recorded_of(metrics));
  if (source == nullptr) return nullptr;
  auto wanted = wanted_ahead(metrics);
  if (!wanted) return nullptr;
  ahead_ = std::make_unique<DerivedAhead>(*source, *deriver_, *std::move(wanted));
  return ahead_.get();
}

// None: a derived metric among them is no number, or has to be evaluated when it is fetched.
std::optional<DerivedAhead::Wanted> DerivedContext::wanted_ahead(std::span<const PmId> metrics) {
  DerivedAhead::Wanted out{.profile = profile_};
  for (const PmId pmid : metrics) {
    DerivedAhead::Metric& metric = out.metrics.emplace_back();
    metric = {.pmid = pmid, .derived = derived(pmid)};
    if (!metric.derived) continue;
    const auto desc = deriver_->describe(pmid);
    const auto elem = desc ? elem_from_pm(desc->pm_type) : std::nullopt;
    const bool once =
        std::ranges::count(metrics, pmid) == 1;  // else its first value is its history
    if (!elem || !is_number(*elem) || !once || !deriver_->goes_ahead(pmid)) return std::nullopt;
    metric.desc = *desc;
  }
  out.recorded = recorded_of(metrics);
  for (const auto& desc : source_->describe_metrics(out.recorded)) {
    if (!desc) return std::nullopt;
    out.descs.push_back(*desc);
  }
  return out;
}

void DerivedContext::begin_fetch(std::span<const PmId> metrics, const Profile& profile) {
  if (metrics.empty()) fetched_.sets = {};
  source_->begin_fetch(recorded_of(metrics), profile);
}

// Derived metrics are evaluated from values.
void DerivedContext::spread_operands(std::span<const PmId> metrics) {
  if (!fetched_.in_columns) return;
  arena_.clear();
  for (const PmId pmid : metrics) {
    if (!derived(pmid)) continue;
    for (const PmId operand : deriver_->operands(pmid)) {
      const auto set = std::ranges::find(fetched_.sets, operand, &FetchedSet::pmid);
      if (set == fetched_.sets.end() || set->numbers.empty()) continue;
      const auto desc = source_->describe(operand);
      if (desc) spread(desc->pm_type, arena_, *set);
    }
  }
}

// From what was fetched.
void DerivedContext::answer(std::span<const PmId> metrics, Fetched& out) {
  const bool any_bound =
      std::ranges::any_of(metrics, [&](PmId pmid) { return deriver_->describe(pmid).has_value(); });
  deriver_->begin_fetch();
  spread_operands(metrics);
  out.stamp = fetched_.stamp;
  out.sets.resize(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    FetchedSet& set = out.sets[i];
    if (derived(metrics[i])) {
      if (any_bound) {
        set.numbers = {};  // of a fetch that was served ahead
        set.instances = {};
        deriver_->evaluate(metrics[i], fetched_, set);
      } else {
        set = {.pmid = metrics[i], .count = source_->unknown_metric_status()};
      }
      continue;
    }
    const auto found = std::ranges::find(fetched_.sets, metrics[i], &FetchedSet::pmid);
    set = found != fetched_.sets.end() ? *found : FetchedSet{.pmid = metrics[i]};
  }
}

void DerivedNames::add(std::string_view name) {
  if (std::ranges::count(name, '.') >= limits::kNestingMax) return;
  size_t part = 0;
  while (true) {
    const std::string_view above = name.substr(0, part == 0 ? 0 : part - 1);
    const size_t end = std::min(name.find('.', part), name.size());
    const std::string_view word = name.substr(part, end - part);
    const bool known = nodes_.contains(name.substr(0, end));
    if (!known) nodes_[std::string(above)].children.emplace_back(word);
    Node& node = nodes_[std::string(name.substr(0, end))];
    if (end == name.size()) {
      node.metric = true;
      return;
    }
    part = end + 1;
  }
}

std::optional<std::span<const std::string>> DerivedNames::children(std::string_view name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return std::nullopt;
  if (found->second.metric) return std::span<const std::string>{};
  return found->second.children;
}

}  // namespace pmjit
