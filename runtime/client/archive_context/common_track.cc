#include "runtime/client/archive_context/common_track.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/archive/reader/set_numbers.h"
#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr size_t kFew = 4;      // instances that are not worth it
constexpr size_t kColumns = 4;  // of nothing, before, after, and the one that is read

}  // namespace

std::optional<Alike> Alike::of(const std::vector<InstanceTrack>& tracks) {
  if (tracks.size() < kFew) return std::nullopt;
  const auto together = [&](const InstanceTrack& i) {
    return i.birth == tracks.front().birth && i.death == tracks.front().death;
  };
  if (!std::ranges::all_of(tracks, together)) return std::nullopt;
  return Alike(tracks);
}

Alike::Alike(const std::vector<InstanceTrack>& tracks)
    : track(tracks.front()), columns_(kColumns, std::vector<uint64_t>(tracks.size(), 0)) {
  for (const InstanceTrack& i : tracks) instances_.push_back(i.id);
}

InstanceTrack Alike::lane(size_t i) const {
  InstanceTrack out = track;
  out.id = instances_[i];
  out.prior.bits = column(track.prior)[i];
  out.next.bits = column(track.next)[i];
  return out;
}

bool Alike::find_lanes(const std::byte* pairs, size_t count) {
  if (count != instances_.size()) return false;
  if (recorded_.size() == count && bulk::instances_equal(pairs, recorded_)) return true;
  recorded_.resize(count);
  bulk::instances(pairs, count, recorded_.data());
  lanes_.clear();
  if (recorded_ == instances_) return true;
  std::unordered_map<int32_t, uint32_t> lane_of;
  for (uint32_t i = 0; i < count; ++i) lane_of.emplace(instances_[i], i);
  for (const int32_t id : recorded_) {
    const auto lane = lane_of.extract(id);  // each once
    if (lane.empty()) return false;
    lanes_.push_back(lane.mapped());
  }
  return true;
}

std::optional<uint64_t> Alike::read(const RecordHead& head, const RecordLayout& layout,
                                    const ValueSet& set) {
  const std::byte* const pairs = head.bytes.data() + set.pairs;
  if (!find_lanes(pairs, static_cast<uint32_t>(set.count))) return std::nullopt;
  uint64_t free = 1;
  while (free == track.prior.bits || free == track.next.bits) ++free;
  std::vector<uint64_t>& to = columns_[free];
  if (lanes_.empty()) {
    numbers_of(head, layout, set, words_, to);
  } else {
    scratch_.resize(to.size());
    numbers_of(head, layout, set, words_, scratch_);
    for (size_t k = 0; k < lanes_.size(); ++k) to[lanes_[k]] = scratch_[k];
  }
  return free;
}

}  // namespace pmjit
