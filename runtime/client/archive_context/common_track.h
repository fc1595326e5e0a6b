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
#include "runtime/client/archive_context/instance_track.h"

namespace pmjit {

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
