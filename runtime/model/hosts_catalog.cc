#include "runtime/model/hosts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/model/catalog.h"

namespace pmjit {

namespace {

constexpr uint32_t kFirstId = 1u << 31;  // no archive has identifiers from here on

}  // namespace

// One host's names, and everything else as the whole has it.
class HostsCatalog::View final : public CatalogOver {
 public:
  View(const HostsCatalog& whole, uint32_t host) : CatalogOver(whole), whole_(whole), host_(host) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override {
    return whole_.describe(host_, metric);
  }
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override {
    return whole_.parts_[host_].catalog->leaves(prefix);
  }

 private:
  const HostsCatalog& whole_;
  uint32_t host_;
};

HostsCatalog::HostsCatalog(std::vector<Part> parts, bool live)
    : parts_(std::move(parts)), live_(live), next_id_(kFirstId) {
  for (uint32_t host = 0; host < parts_.size(); ++host) {
    views_.push_back(std::make_unique<View>(*this, host));
  }
}

uint32_t HostsCatalog::id_here(Ids& ids, uint32_t host, uint32_t own) const {
  if (own == kNullId) return own;
  const auto [it, is_new] = ids.given.try_emplace({host, own}, host == 0 ? own : next_id_);
  if (!is_new) return it->second;
  if (host != 0) ++next_id_;
  ids.owns.emplace(it->second, Own{.host = host, .id = own});
  return it->second;
}

HostsCatalog::Own HostsCatalog::metric(PmId pmid) const {
  const auto found = metrics_.owns.find(pmid);
  return found == metrics_.owns.end() ? Own{.host = 0, .id = pmid} : found->second;
}

HostsCatalog::Own HostsCatalog::domain(InDomId indom) const {
  const auto found = domains_.owns.find(indom);
  return found == domains_.owns.end() ? Own{.host = 0, .id = indom} : found->second;
}

InDomId HostsCatalog::recorded_domain(InDomId indom) const {
  for (const auto& [own, all] : all_of_) {
    if (all == indom) return own;
  }
  return domain(indom).id;
}

Result<Desc> HostsCatalog::describe(uint32_t host, std::string_view metric) const {
  auto desc = parts_[host].catalog->describe(metric);
  if (!desc) return desc;
  desc->pmid = id_here(metrics_, host, desc->pmid);
  desc->indom = id_here(domains_, host, desc->indom);
  return desc;
}

Result<Desc> HostsCatalog::describe(std::string_view metric) const {
  auto first = describe(0, metric);
  for (uint32_t host = 1; !first && host < parts_.size(); ++host) {
    if (auto found = describe(host, metric)) return found;
  }
  return first;
}

std::vector<std::string> HostsCatalog::leaves(std::string_view prefix) const {
  std::set<std::string> names;
  for (const Part& part : parts_) {
    for (std::string& name : part.catalog->leaves(prefix)) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

InDomId HostsCatalog::domain_of_all_hosts(InDomId indom) const {
  if (indom == kNullId || parts_.size() == 1 || all_hosts(indom) != nullptr) return indom;
  const uint32_t own = domain(indom).id;
  const auto [it, is_new] = all_of_.try_emplace(own, next_id_);
  if (!is_new) return it->second;
  ++next_id_;
  AllHosts& all = all_hosts_[it->second];
  all.own = own;
  add_names(all);
  return it->second;
}

// In the order of the identifiers of the first host; names that only others have follow, and those
// that come later.
void HostsCatalog::add_names(AllHosts& all) const {
  const auto add = [&](std::string name) {
    if (all.seen.insert(name).second) all.names.push_back(std::move(name));
  };
  for (const Part& part : parts_) {
    for (Instance& instance : part.catalog->instances(all.own)) add(std::move(instance.name));
    std::vector<std::string> older = part.catalog->names_ever(all.own);
    std::ranges::sort(older);
    for (std::string& name : older) add(std::move(name));
  }
}

HostsCatalog::AllHosts* HostsCatalog::all_hosts(InDomId indom) const {
  const auto found = all_hosts_.find(indom);
  return found == all_hosts_.end() ? nullptr : &found->second;
}

const std::string* HostsCatalog::name_in_all(InDomId indom, int32_t instance) const {
  const AllHosts* all = all_hosts(indom);
  const bool there = instance >= 0 && static_cast<size_t>(instance) < all->names.size();
  return there ? &all->names[static_cast<size_t>(instance)] : nullptr;
}

std::optional<std::string> HostsCatalog::instance_name(InDomId indom, int32_t instance,
                                                       Stamp when) const {
  if (all_hosts(indom) != nullptr) {
    const std::string* name = name_in_all(indom, instance);
    return name != nullptr ? std::optional(*name) : std::nullopt;
  }
  const Own own = domain(indom);
  return parts_[own.host].catalog->instance_name(own.id, instance, when);
}

std::optional<std::string> HostsCatalog::held_name(InDomId indom, int32_t instance,
                                                   Stamp when) const {
  if (all_hosts(indom) != nullptr) return instance_name(indom, instance, when);
  const Own own = domain(indom);
  return parts_[own.host].catalog->held_name(own.id, instance, when);
}

// A reader of names asks for their epoch before it, so that names that have come are there.
uint64_t HostsCatalog::domain_epoch(InDomId indom, Stamp when) const {
  if (AllHosts* const all = all_hosts(indom)) {
    if (!live_) return 0;
    uint64_t epoch = 0;
    for (const Part& part : parts_) epoch += part.catalog->domain_epoch(all->own, when);
    if (epoch != std::exchange(all->epoch, epoch)) add_names(*all);
    return epoch;
  }
  const Own own = domain(indom);
  return parts_[own.host].catalog->domain_epoch(own.id, when);
}

std::optional<std::vector<int32_t>> HostsCatalog::changed_between(InDomId indom, Stamp from,
                                                                  Stamp to) const {
  if (all_hosts(indom) != nullptr) return std::vector<int32_t>();
  const Own own = domain(indom);
  return parts_[own.host].catalog->changed_between(own.id, from, to);
}

std::vector<Catalog::Instance> HostsCatalog::instances(InDomId indom) const {
  const AllHosts* all = all_hosts(indom);
  if (all == nullptr) {
    const Own own = domain(indom);
    return parts_[own.host].catalog->instances(own.id);
  }
  std::vector<Instance> out;
  for (size_t i = 0; i < all->names.size(); ++i) {
    out.push_back({.id = static_cast<int32_t>(i), .name = all->names[i]});
  }
  return out;
}

std::vector<std::string> HostsCatalog::names_ever(InDomId indom) const {
  if (const AllHosts* all = all_hosts(indom)) return all->names;
  const Own own = domain(indom);
  return parts_[own.host].catalog->names_ever(own.id);
}

}  // namespace pmjit
