#include "runtime/client/host_instances.h"

#include <algorithm>

namespace pmjit {

namespace {

// Of instances that come and go, processes above all: so many that have gone are kept beside those
// that are there, for results that still name them.
constexpr size_t kGoneMax = 1'024;
// Changes whose times are kept: evaluation looks back by a few rows.
constexpr size_t kChangesMax = 1'024;

}  // namespace

void HostInstances::refresh(InDomId indom, std::span<const Catalog::Instance> now, Stamp when) {
  Watched& domain = domains_[indom];
  bool changed = false;
  for (const Catalog::Instance& instance : now) {
    Known& known = domain.instances[instance.id];
    const bool was_there = !known.names.empty() && known.seen == domain.refreshed;
    changed = changed || !was_there;
    known.seen = when;
    if (!known.names.empty() && known.names.back().name == instance.name) continue;
    known.names.push_back({.from = when, .name = instance.name});
    changed = true;
  }
  changed = changed || std::ranges::any_of(domain.instances, [&](const auto& each) {
              return each.second.seen == domain.refreshed && each.second.seen != when;
            });
  domain.refreshed = when;
  if (changed) domain.changes.push_back(when);
  if (domain.changes.size() > kChangesMax) {
    domain.changes.pop_front();
    ++domain.changes_before;
  }
  forget_gone(domain, now.size());
}

void HostInstances::forget_gone(Watched& domain, size_t present) {
  if (domain.instances.size() <= 2 * present + kGoneMax) return;
  std::erase_if(domain.instances,
                [&](const auto& each) { return each.second.seen != domain.refreshed; });
}

std::optional<std::string> HostInstances::name(InDomId indom, int32_t instance, Stamp when) const {
  const auto domain = domains_.find(indom);
  if (domain == domains_.end()) return std::nullopt;
  const auto known = domain->second.instances.find(instance);
  if (known == domain->second.instances.end()) return std::nullopt;
  const auto& names = known->second.names;
  for (size_t i = names.size(); i-- > 1;) {
    if (names[i].from <= when) return names[i].name;
  }
  return names.front().name;
}

std::vector<Catalog::Instance> HostInstances::all(InDomId indom) const {
  std::vector<Catalog::Instance> out;
  const auto domain = domains_.find(indom);
  if (domain == domains_.end()) return out;
  for (const auto& [id, known] : domain->second.instances) {
    out.push_back({.id = id, .name = known.names.back().name});
  }
  return out;
}

std::vector<std::string> HostInstances::names_ever(InDomId indom) const {
  std::vector<std::string> out;
  const auto domain = domains_.find(indom);
  if (domain == domains_.end()) return out;
  for (const auto& [id, known] : domain->second.instances) {
    for (const Named& named : known.names) out.push_back(named.name);
  }
  return out;
}

uint64_t HostInstances::epoch(InDomId indom, Stamp when) const {
  const auto found = domains_.find(indom);
  if (found == domains_.end()) return 0;
  const Watched& domain = found->second;
  const auto until = std::ranges::upper_bound(domain.changes, when);
  return domain.changes_before + static_cast<uint64_t>(until - domain.changes.begin());
}

}  // namespace pmjit
