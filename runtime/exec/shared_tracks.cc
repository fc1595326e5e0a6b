#include "runtime/exec/shared_tracks.h"

#include <algorithm>

namespace pmjit {

uint32_t SharedTracks::add(const Updaters& clock, bool discrete) {
  const auto track = static_cast<uint32_t>(tracks_.size());
  tracks_.emplace_back(clock, discrete);
  shown_by_.push_back(track);
  if (clock.size() == 1) ++singles_;
  return track;
}

bool SharedTracks::same_history(uint32_t one, uint32_t other) const {
  const uint32_t shows_one = shown_by_[one], shows_other = shown_by_[other];
  return shows_one == shows_other || tracks_[shows_one].same_history(tracks_[shows_other]);
}

void SharedTracks::share_of_operands(const Wave& wave) {
  for (uint32_t i = 0; i < singles_; ++i) {
    const uint32_t like = wave.operands[i].like;
    next_[i] = like != kNoIndex && same_history(i, like) ? like : i;
  }
}

void SharedTracks::share_of_several() {
  std::map<Parts, uint32_t> first_of;
  parts_.resize(tracks_.size() - singles_);
  for (uint32_t i = singles_; i < tracks_.size(); ++i) {
    Parts& parts = parts_[i - singles_];
    parts.discrete = tracks_[i].discrete();
    parts.tracks.clear();
    for (const uint32_t operand : tracks_[i].clock()) parts.tracks.push_back(next_[operand]);
    std::ranges::sort(parts.tracks);
    const auto same = std::ranges::unique(parts.tracks);
    parts.tracks.erase(same.begin(), same.end());
    const auto [first, is_new] = first_of.try_emplace(parts, i);
    next_[i] = is_new || !same_history(i, first->second) ? i : first->second;
  }
}

void SharedTracks::start_round(const Wave& wave) {
  next_.resize(tracks_.size());
  const bool known = parts_.size() == tracks_.size() - singles_;
  share_of_operands(wave);
  const bool as_before = std::equal(shown_by_.begin(), shown_by_.begin() + singles_, next_.begin());
  if (known && as_before) {
    std::ranges::copy(shown_by_.begin() + singles_, shown_by_.end(), next_.begin() + singles_);
  } else {
    share_of_several();
  }
  for (uint32_t i = 0; i < tracks_.size(); ++i) {
    if (next_[i] == i && shown_by_[i] != i) tracks_[i].take_history(tracks_[shown_by_[i]]);
  }
  shown_by_ = next_;
  for (uint32_t i = 0; i < singles_; ++i) {
    if (shown_by_[i] == i) tracks_[i].start_round(wave, wave.operands[i], wave.limits_of(i));
  }
  std::vector<const Track*> parts;
  for (uint32_t i = singles_; i < tracks_.size(); ++i) {
    if (shown_by_[i] != i) continue;
    parts.clear();
    for (const uint32_t part : parts_[i - singles_].tracks) parts.push_back(&tracks_[part]);
    tracks_[i].start_round(wave, parts);
  }
}

void SharedTracks::end_round() {
  for (uint32_t i = 0; i < tracks_.size(); ++i) {
    if (shown_by_[i] == i) tracks_[i].end_round();
  }
}

}  // namespace pmjit
