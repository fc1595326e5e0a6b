// Alike: the instances of a metric that were all observed at the same times, as mostly all are. One
// track stands for them, and their numbers are columns, so that what a record says of the metric is
// one observation. When a record has another set of instances the metric is separated again: what
// comes of it is the same either way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/archive/reader/record.h"
#include "runtime/model/desc.h"

namespace pmjit {

// InstanceTrack: what interpolation remembers of an instance: the observation before and the one
// after the time of the last fetch, and what is known of the ends of its data. Source: spec
// archives.md §14.3. Times are seconds since the start of the first archive.
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
  double latest = -1;             // of its observations that were met while reading ahead
};

class Alike {
 public:
  // None: they are too few, or do not come and go together.
  [[nodiscard]] static std::optional<Alike> of(const std::vector<InstanceTrack>& tracks);

  // Of all instances; the bits of its bounds say which column has theirs.
  InstanceTrack track;

  // The identifiers, and a number of each, in the order of the tracks.
  [[nodiscard]] const std::vector<int32_t>& instances() const { return instances_; }
  [[nodiscard]] std::span<const uint64_t> column(const Bound& bound) const {
    return columns_[bound.bits];
  }
  // What lane `i` has of the track.
  [[nodiscard]] InstanceTrack lane(size_t i) const;
  // For numbers that are made of two columns.
  [[nodiscard]] std::span<uint64_t> room() {
    room_.resize(instances_.size());
    return room_;
  }

  // Reads a set of numbers into a column, which is given. None: it has not each instance once.
  [[nodiscard]] std::optional<uint64_t> read(const RecordHead& head, const RecordLayout& layout,
                                             const ValueSet& set);

 private:
  explicit Alike(const std::vector<InstanceTrack>& tracks);
  [[nodiscard]] bool find_lanes(const std::byte* pairs, size_t count);

  std::vector<int32_t> instances_;
  std::vector<int32_t> recorded_;  // as the last record had them, and
  std::vector<uint32_t> lanes_;    // which lane each of them is; empty: in order
  // The first for bounds that were never observed; and one more than a track has bounds.
  std::vector<std::vector<uint64_t>> columns_;
  std::vector<uint64_t> scratch_, room_;
  std::vector<uint32_t> words_;
};

}  // namespace pmjit
