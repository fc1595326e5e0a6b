// Tracks: the sample axis. Every slot has a clock, the set of operands whose observations update
// it, and all slots of one clock have their rows at the same times. A track is that list of times,
// and for each group of the wave which of its rows is in force. Source: spec dialects.md §13.3,
// §13.4.
//
// History looks from an update to the newest one that is at least a quarter of the logging interval
// older. Nearly always that is the one before. Where a metric is logged in several groups a tick it
// is farther back, up to Intervals::kDifferences updates, which may lie in rounds before.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/exec/intervals.h"
#include "runtime/exec/sampler.h"
#include "runtime/program/program.h"

namespace pmjit {

// Which row of a series: one of this wave, one carried from the waves before, or none. Carried
// rows count down from the newest, which is -1.
struct RowRef {
  static constexpr int64_t kCarried = -1, kNone = INT64_MIN;
  int64_t index = kNone;
  [[nodiscard]] bool none() const { return index == kNone; }
  [[nodiscard]] bool carried() const { return index < 0 && !none(); }
  friend constexpr bool operator==(const RowRef&, const RowRef&) = default;
};

struct TrackRow {
  uint32_t group = 0;
  Stamp stamp;  // the observation's own; of an expression over several metrics, the group's
  uint64_t segment = 0;
  AgeLimit limit;
  friend bool operator==(const TrackRow&, const TrackRow&) = default;
};

class Track {
 public:
  Track(Updaters clock, bool discrete) : clock_(std::move(clock)), discrete_(discrete) {}
  // Waves will have rows of so many hosts, and history looks back from each to the last one of its
  // host. Only for a track that something looks back on.
  void follow_hosts(size_t hosts);

  [[nodiscard]] const Updaters& clock() const { return clock_; }
  [[nodiscard]] bool discrete() const { return discrete_; }
  [[nodiscard]] const std::vector<TrackRow>& rows() const { return rows_; }

  // What rounds before have left: of two tracks with the same, the same wave leaves the same.
  [[nodiscard]] bool same_history(const Track& other) const;
  void take_history(const Track& other);

  // The wave of one operand; `own` are its observations.
  void start_round(const Wave& wave, const Observations& own, const std::vector<AgeLimit>& limits);
  // The wave of an expression over several: the tracks of its operands have started theirs, those
  // that are the same once.
  void start_round(const Wave& wave, const std::vector<const Track*>& operands);
  void end_round();

  // The row in force at a group of this wave; none: no update in the group's segment yet.
  [[nodiscard]] RowRef at_group(uint32_t group) const { return in_force_[group]; }
  // Why there is no row in force: not logged yet, or nothing since a mark.
  [[nodiscard]] int32_t reason_at(uint32_t group) const;
  // Is that row an update of this group?
  [[nodiscard]] bool updated_at(uint32_t group) const;
  // Has each group an update of its own, with the time of the group?
  [[nodiscard]] bool follows_groups() const { return follows_groups_; }
  // Is every operand known at the group: observed in the segment, and not older than its age limit?
  [[nodiscard]] bool fresh_at(uint32_t group) const { return fresh_[group]; }
  // The update that the history of `row` looks back to, in its segment; none: there is none, or it
  // is older than its age limit (gap).
  struct Before {
    RowRef row;
    bool gap = false;
    double seconds = 0;
  };
  [[nodiscard]] Before before(uint32_t row) const;
  // Where each row of this wave but the first looks back to the one before, none across a gap: the
  // seconds between them (of the first 0). Else null.
  [[nodiscard]] const std::vector<double>* steady_seconds() const;
  // The oldest row that the history of a later wave may look back to.
  [[nodiscard]] RowRef oldest_needed() const;

 private:
  [[nodiscard]] RowRef row_before(uint32_t row) const;  // whatever its age
  [[nodiscard]] RowRef one_before(RowRef ref) const;    // of its segment
  [[nodiscard]] RowRef row_of_host_before(uint32_t row) const;
  // Of a new update: its age limit.
  static AgeLimit limit_of(uint64_t segment, Stamp time, uint64_t& last_segment,
                           Intervals& intervals);
  AgeLimit limit_of_host(uint64_t segment, Stamp time, HostId host);
  void find_rows_in_force(const Wave& wave);
  void find_sources(const Wave& wave);
  [[nodiscard]] uint64_t segment_at(const Wave& wave, uint32_t group) const;
  [[nodiscard]] const TrackRow* row_of(RowRef ref) const;

  Updaters clock_;
  bool discrete_;  // every operand is: no age limit
  std::vector<TrackRow> rows_;
  bool ticks_ = false;             // an update may be of the tick of the one before
  std::vector<TrackRow> carried_;  // the newest last
  std::vector<RowRef> in_force_;
  std::vector<uint8_t> fresh_, after_mark_;
  bool follows_groups_ = false;
  enum class Steady : uint8_t { unknown, yes, no };
  mutable Steady steady_ = Steady::unknown;  // found out where somebody asks
  mutable std::vector<double> seconds_;
  Intervals intervals_;
  // Of many hosts: whose each row of this wave is, and of each host its intervals. Then carried_
  // has a row per host, in their order; one of the group kNoRow is none.
  std::vector<HostId> hosts_;
  std::vector<Intervals> host_intervals_;
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> of_sources_;  // an operand of each; empty: there is one source
  uint64_t segment_ = 0;
};

}  // namespace pmjit
