// What interpolation remembers of each metric and instance that was ever asked for: the observation
// before and the one after the time of the last fetch, and what is known of the ends of its data.
// Source: spec archives.md §14.3. Times are seconds since the start of the first archive.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/archive/replay/fetched_values.h"
#include "runtime/archive/replay/profile.h"
#include "runtime/archive/replay/records.h"

namespace pmjit {

enum class BoundState : uint8_t { undefined, value, mark };

// A value as it was recorded.
struct Observed {
  uint64_t bits = 0;  // of a number; else which of the metric's blocks it is
  int32_t nsec = 0;   // of its record's stamp
  uint8_t type = 0;   // that its block says
};

// Small, and copied without thought: every fetch walks over those of all instances, several times.
struct Bound {
  double t = -1;
  uint64_t bits = 0;
  int32_t nsec = 0;  // of the stamp that t is: t itself is exact for some weeks only
  uint8_t type = 0;
  BoundState state = BoundState::undefined;
  bool scanned = false;  // looked for as far as there is data
};
static_assert(sizeof(Bound) == 24);

struct InstanceTrack {
  int32_t id = kSingular;
  bool search = false;
  Bound prior{}, next{};
  double first = -1, last = -1;   // no observation at or before (at or after) this time
  double birth = -1, death = -1;  // of instances of large domains
};

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
  std::vector<InstanceTrack> tracks;  // in the order of results
  std::unordered_map<int32_t, uint32_t> by_id;
  ObservedBlocks blocks{};
  std::vector<uint32_t> usual;  // track of the i-th value in the last record
};

class InterpState {
 public:
  explicit InterpState(const Archives& archives) : archives_(archives) {}

  // The metric's track, made at the first request; null: not in the archives.
  [[nodiscard]] MetricTrack* track(PmId pmid);
  [[nodiscard]] MetricTrack* known(PmId pmid);
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

// The order in which the reference gives the instances of an interpolated value set: that of its
// hash table. `ids` in the order in which they were entered.
[[nodiscard]] std::vector<int32_t> result_order(const std::vector<int32_t>& ids);

}  // namespace pmjit
