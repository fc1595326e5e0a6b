// What interpolation remembers of each metric that was ever asked for. Source: spec archives.md
// §14.3.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/archive/recording/records.h"
#include "runtime/client/archive_context/common_track.h"
#include "runtime/client/context.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

// Values that are no numbers: texts, aggregates, events. Number 0 is empty.
class ObservedBlocks {
 public:
  uint64_t add(std::vector<std::byte> block) {
    added_ += bytes_of(block);
    blocks_.push_back(std::move(block));
    return blocks_.size() - 1;
  }
  [[nodiscard]] Bytes operator[](uint64_t number) const { return blocks_[number]; }
  // Drops those that no bound has any more, where they may be as much as those that one has.
  void sweep(std::vector<InstanceTrack>& tracks);

 private:
  static size_t bytes_of(const std::vector<std::byte>& block) {
    return block.size() + sizeof block;
  }
  std::vector<std::vector<std::byte>> blocks_{1};
  size_t kept_ = 0, added_ = 0;  // bytes: of the blocks after the last sweep, and of those since
};

struct MetricTrack {
  Desc desc;
  bool in_place = false;  // how its values are stored; meant once `format_known`
  bool format_known = false;
  int last_count = -1;                // numval of the fetch before
  std::vector<InstanceTrack> tracks;  // in the order of results; while `alike`, not of now
  std::optional<Alike> alike;         // all of them in one
  std::unordered_map<int32_t, uint32_t> by_id;
  ObservedBlocks blocks{};
  std::vector<uint32_t> usual;  // track of the i-th value in the last record
  // Room for what a fetch gives.
  std::vector<uint64_t> numbers{};
  std::vector<int32_t> instances{};

  // Those that are of now.
  [[nodiscard]] std::span<InstanceTrack> in_use() {
    return alike ? std::span(&alike->track, 1) : std::span(tracks);
  }
};

class InterpState {
 public:
  explicit InterpState(const Archives& archives) : archives_(archives) {}

  // The metric's track, made at the first request; null: not in the archives.
  [[nodiscard]] MetricTrack* track(PmId pmid);
  [[nodiscard]] MetricTrack* known(PmId pmid);
  // How many metrics have a track.
  [[nodiscard]] size_t size() const { return tracks_.size(); }
  [[nodiscard]] bool all_instances(const std::predicate<const InstanceTrack&> auto& fine) const {
    return std::ranges::all_of(tracks_, [&](const auto& metric) {
      return std::ranges::all_of(metric.second->in_use(), fine);
    });
  }
  // After repositioning to `t`: bounds that do not enclose it are forgotten.
  void reposition(double t);
  [[nodiscard]] double since_start(Stamp stamp) const {
    return seconds_between(stamp, archives_.start());
  }

 private:
  [[nodiscard]] std::unique_ptr<MetricTrack> make_track(const Desc& desc) const;

  const Archives& archives_;
  std::unordered_map<PmId, std::unique_ptr<MetricTrack>> tracks_;
};

// Is it known of its instances when they came and went?
[[nodiscard]] bool keeps_lives(const Domain& domain);

// The order in which the reference gives the instances of an interpolated value set: that of its
// hash table. `ids` in the order in which they were entered.
[[nodiscard]] std::vector<int32_t> result_order(const std::vector<int32_t>& ids);

}  // namespace pmjit
