#include "runtime/client/archive_context/grid_lists.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/client/archive_context/interp_state.h"

namespace pmjit {

namespace {

// Instances of the lists that are remembered, of one domain: some 6 MB.
constexpr size_t kListedMax = 512u << 10;

// Lanes by their ranks. These are places in the domain, so they are counted: comparing 20,000 took
// half of the time of a grid under churn. Few lanes of a large domain are compared.
void sort_by_rank(std::vector<uint32_t>& lanes, const std::vector<uint32_t>& ranks) {
  const auto rank = [&](uint32_t lane) { return ranks[lane]; };
  const uint32_t last = lanes.empty() ? 0 : rank(std::ranges::max(lanes, {}, rank));
  if (last / 8 > lanes.size()) {
    std::ranges::sort(lanes, {}, rank);
    return;
  }
  std::vector<uint32_t> place(last + 2);
  for (const uint32_t lane : lanes) ++place[rank(lane) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<uint32_t> sorted(lanes.size());
  for (const uint32_t lane : lanes) sorted[place[rank(lane)]++] = lane;
  lanes = std::move(sorted);
}

}  // namespace

GridDomain GridDomain::of(const Archives& archives, InDomId indom) {
  GridDomain out;
  const Domain* domain = archives.metadata().domain(indom);
  if (domain == nullptr) return out;
  std::vector<int32_t> ids;
  for (const auto& instance : domain->instances_ever()) ids.push_back(instance.id);
  const auto seconds = [&](Stamp stamp) { return seconds_between(stamp, archives.start()); };
  const bool lives = keeps_lives(*domain);
  uint32_t rank = 0;
  for (const int32_t id : result_order(ids)) {
    Instance& instance = out.instances[id];
    instance.rank = rank++;
    if (!lives) continue;
    if (const auto birth = domain->birth(id)) instance.birth = seconds(*birth);
    if (const auto death = domain->death(id)) instance.death = seconds(*death);
  }
  return out;
}

std::shared_ptr<const GridList> GridLists::of(const Rosters& rosters, RosterId roster_id) {
  const auto found = known_.find(key_of(roster_id));
  if (found != known_.end()) return found->second;
  if (size_ > kListedMax) {
    known_.clear();
    size_ = 0;
  }
  auto list = std::make_shared<const GridList>(make(rosters.instances(roster_id)));
  size_ += list->instances.size();
  return known_.emplace(key_of(roster_id), std::move(list)).first->second;
}

GridList GridLists::make(std::span<const int32_t> instances) const {
  GridList out;
  out.instances.assign(instances.begin(), instances.end());
  if (domain_ == nullptr) {
    out.order.assign(1, 0);
    out.ranks.assign(1, 0);
    out.sound = instances.size() == 1;
    return out;
  }
  std::vector<uint32_t> ranks(instances.size());
  for (uint32_t lane = 0; lane < instances.size(); ++lane) {
    const auto found = domain_->instances.find(instances[lane]);
    if (found == domain_->instances.end()) continue;
    out.birth = std::max(out.birth, found->second.birth);
    out.death = std::min(out.death, found->second.death);
    ranks[lane] = found->second.rank;
    out.order.push_back(lane);
  }
  out.in_order = out.order.size() == instances.size() && std::ranges::is_sorted(ranks);
  if (!out.in_order) sort_by_rank(out.order, ranks);
  for (const uint32_t lane : out.order) out.ranks.push_back(ranks[lane]);
  out.sound = !out.order.empty() && std::ranges::adjacent_find(out.ranks) == out.ranks.end();
  return out;
}

}  // namespace pmjit
