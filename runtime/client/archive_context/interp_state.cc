#include "runtime/client/archive_context/interp_state.h"

#include <algorithm>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Domains with a set of this many instances or more keep track of when instances came and went.
constexpr size_t kLargeDomain = 16;

}  // namespace

void ObservedBlocks::sweep(std::vector<InstanceTrack>& tracks) {
  constexpr size_t kFew = 16u << 10;
  if (added_ < kept_ + kFew) return;
  kept_ = added_ = 0;
  std::vector<uint64_t> numbers(blocks_.size(), 0);  // where each block is now
  std::vector<std::vector<std::byte>> kept(1);
  for (InstanceTrack& track : tracks) {
    for (Bound* bound : {&track.prior, &track.next}) {
      uint64_t& number = numbers[bound->bits];
      if (number == 0 && bound->bits != 0) {
        number = kept.size();
        kept.push_back(std::move(blocks_[bound->bits]));
        kept_ += bytes_of(kept.back());
      }
      bound->bits = number;
    }
  }
  blocks_ = std::move(kept);
}

MetricTrack* InterpState::known(PmId pmid) {
  const auto found = tracks_.find(pmid);
  return found == tracks_.end() ? nullptr : found->second.get();
}

MetricTrack* InterpState::track(PmId pmid) {
  if (MetricTrack* there = known(pmid)) return there;
  const Desc* desc = archives_.metadata().desc(pmid);
  if (desc == nullptr) return nullptr;
  return tracks_.emplace(pmid, make_track(*desc)).first->second.get();
}

std::unique_ptr<MetricTrack> InterpState::make_track(const Desc& desc) const {
  auto track = std::make_unique<MetricTrack>();
  track->desc = desc;
  if (desc.indom == kNullId) {
    track->tracks.push_back({.id = kSingular});
  } else {
    if (const Domain* domain = archives_.metadata().domain(desc.indom)) {
      std::vector<int32_t> ids;
      for (const auto& instance : domain->instances_ever()) ids.push_back(instance.id);
      const bool large = keeps_lives(*domain);
      for (const int32_t id : result_order(ids)) {
        InstanceTrack instance{.id = id};
        if (large) {
          if (const auto birth = domain->birth(id)) instance.birth = since_start(*birth);
          if (const auto death = domain->death(id)) instance.death = since_start(*death);
        }
        track->tracks.push_back(std::move(instance));
      }
    }
  }
  for (uint32_t i = 0; i < track->tracks.size(); ++i) track->by_id[track->tracks[i].id] = i;
  if (desc.pm_type <= pm_type::f64) track->alike = Alike::of(track->tracks);
  return track;
}

void InterpState::reposition(double t) {
  for (auto& [pmid, metric] : tracks_) {
    for (InstanceTrack& i : metric->in_use()) {
      if (i.prior.t <= t && i.next.t >= t) continue;
      for (Bound* bound : {&i.prior, &i.next}) *bound = {.bits = bound->bits, .type = bound->type};
    }
  }
}

bool keeps_lives(const Domain& domain) { return domain.largest_set() >= kLargeDomain; }

std::vector<int32_t> result_order(const std::vector<int32_t>& ids) {
  // The table has a bucket an identifier; the newest in a bucket comes first.
  std::vector<std::pair<size_t, size_t>> places;  // bucket, age
  for (size_t i = 0; i < ids.size(); ++i) {
    places.emplace_back(static_cast<uint32_t>(ids[i]) % ids.size(), ids.size() - i);
  }
  std::ranges::sort(places);
  std::vector<int32_t> out;
  out.reserve(ids.size());
  for (const auto& [bucket, age] : places) out.push_back(ids[ids.size() - age]);
  return out;
}

}  // namespace pmjit
