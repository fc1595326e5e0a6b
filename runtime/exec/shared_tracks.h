// SharedTracks: the tracks of an evaluation, one per clock. Metrics that are logged together have
// the same rows and the same history, so have the expressions over them: one track is made for all
// of these, and looked at in place of the others. Where they part, each goes on with the history of
// both.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/exec/clock_tracks.h"

namespace pmjit {

class SharedTracks {
 public:
  void expect(size_t tracks) { tracks_.reserve(tracks); }
  // A new track, of a clock that has none. Those of single operands come first, in their order.
  uint32_t add(const Updaters& clock, bool discrete);
  void follow_hosts(uint32_t track, size_t hosts) { tracks_[track].follow_hosts(hosts); }

  [[nodiscard]] const Track& operator[](uint32_t track) const { return tracks_[shown_by_[track]]; }
  [[nodiscard]] size_t size() const { return tracks_.size(); }
  // The track that is looked at in its place, for this round: itself, or one before it.
  [[nodiscard]] uint32_t shown_by(uint32_t track) const { return shown_by_[track]; }

  void start_round(const Wave& wave);
  void end_round();

 private:
  // What decides which rows a track of several operands has: the tracks of these that differ.
  struct Parts {
    std::vector<uint32_t> tracks;
    bool discrete = false;
    friend auto operator<=>(const Parts&, const Parts&) = default;
  };

  [[nodiscard]] bool same_history(uint32_t one, uint32_t other) const;
  void share_of_operands(const Wave& wave);
  void share_of_several();

  std::vector<Track> tracks_;
  std::vector<uint32_t> shown_by_;  // itself, or one before it
  std::vector<uint32_t> next_;      // the same of the round that starts
  std::vector<Parts> parts_;        // of the tracks of several operands
  uint32_t singles_ = 0;            // tracks of one operand
};

}  // namespace pmjit
