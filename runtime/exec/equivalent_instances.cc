#include "runtime/exec/equivalent_instances.h"

#include <algorithm>

namespace pmjit {

namespace {

constexpr size_t kRostersKept = 64;

struct MetLane {
  int32_t instance;
  uint32_t lane;
  bool nameless;
};

}  // namespace

const MetLanes& Meeting::met(RosterId roster, Stamp observed, Stamp when) {
  const Epochs epochs{.observed = recorded_.domain_epoch(from_, observed),
                      .from = recorded_.domain_epoch(from_, when),
                      .to = recorded_.domain_epoch(to_, when)};
  look_at_domain(when, epochs.to);
  if (known_.size() >= kRostersKept && !known_.contains(key_of(roster))) known_.clear();
  Known& known = known_[key_of(roster)];
  if (epochs.ask_again() || known.epochs != epochs || !rosters_.knows(known.made.roster)) {
    known = {.epochs = epochs, .made = make(roster, observed, when)};
  }
  return known.made;
}

// Of several instances with one name the first bears it, and one that is there before one that has
// left.
void Meeting::look_at_domain(Stamp when, uint64_t epoch) {
  if (epoch != Catalog::kAskAgain && epoch == epoch_) return;
  epoch_ = epoch;
  instances_.clear();
  const std::vector<Catalog::Instance> ever = recorded_.instances(to_);
  for (const Catalog::Instance& instance : ever) {
    auto name = recorded_.instance_name(to_, instance.id, when);
    if (name) instances_.try_emplace(*std::move(name), instance.id);
  }
  for (const Catalog::Instance& instance : ever) {
    auto name = recorded_.held_name(to_, instance.id, when);
    if (name) instances_.try_emplace(*std::move(name), instance.id);
  }
}

MetLanes Meeting::make(RosterId roster, Stamp observed, Stamp when) {
  std::vector<MetLane> lanes;
  const auto from = rosters_.instances(roster);
  std::unordered_map<std::string, uint32_t> seen;
  for (uint32_t lane = 0; lane < from.size(); ++lane) {
    auto name = names_.held_name(from_, from[lane], when);
    if (!name) name = names_.held_name(from_, from[lane], observed);
    const bool first = name && seen.try_emplace(*name, lane).second;
    std::optional<int32_t> instance;
    if (first) {
      const auto found = instances_.find(*name);
      if (own_only_ && found == instances_.end()) continue;
      instance = found != instances_.end() ? found->second : names_.guest(*name, to_);
    }
    lanes.push_back({.instance = instance.value_or(from[lane] | kElsewhere),
                     .lane = lane,
                     .nameless = !instance.has_value()});
  }
  std::ranges::sort(lanes, {}, &MetLane::instance);
  MetLanes out;
  out.in_order = lanes.size() == from.size();
  std::vector<int32_t> instances;
  for (const MetLane& one : lanes) {
    out.in_order = out.in_order && one.lane == out.lanes.size();
    out.lanes.push_back(one.lane);
    instances.push_back(one.instance);
    if (one.nameless) {
      out.nameless.resize(lanes.size());
      out.nameless[out.lanes.size() - 1] = true;
    }
  }
  out.roster = rosters_.intern(instances);
  return out;
}

}  // namespace pmjit
