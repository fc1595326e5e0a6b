#include "runtime/client/archive_context/served_ahead.h"

#include <algorithm>
#include <utility>

#include "runtime/archive/recording/records.h"
#include "runtime/client/archive_context/columns_again.h"

namespace pmjit {

namespace {

// Where it does not, interpolation that begins at `when` fails: it finds its place by the index.
// What reads ahead begins at the first record.
bool index_leads_to_records(const ReplayContext& replay, Stamp when) {
  RecordReader reader(replay.archives(), replay.bad_volumes());
  if (!reader.seek(when, true)) return false;
  const RecordPosition place = reader.position();
  if (!reader.previous()) return false;
  reader.move_to(place);
  return reader.next().has_value();
}

}  // namespace

bool ServedAhead::serve(ReplayContext& replay, std::span<const PmId> metrics,
                        const Profile& profile, Fetched& out) {
  if (!std::exchange(begun_, true)) done_ = !begin(replay, metrics, profile, out.in_columns);
  if (done_) return false;
  if (!std::ranges::equal(metrics, metrics_) || profile != profile_ || !out.in_columns) {
    done_ = true;
    if (ahead_ != nullptr) hand_over(replay);
    return false;
  }
  if (ahead_ == nullptr && !try_again(replay)) return false;
  if (!ahead_->load()) {
    hand_over(replay);
    return false;
  }
  out.stamp = ahead_->now();
  out.sets.resize(metrics_.size());
  for (size_t i = 0; i < metrics_.size(); ++i) {
    ahead_->take(i, ahead_->place(), profile_, out.sets[i]);
  }
  ahead_->pass(1);
  return true;
}

std::optional<Stamp> ServedAhead::now() const {
  if (ahead_ == nullptr) return std::nullopt;
  return ahead_->now();
}

FetchAhead* ServedAhead::of(std::span<const PmId> metrics) const {
  return std::ranges::equal(metrics, metrics_) ? ahead_.get() : nullptr;
}

bool ServedAhead::begin(const ReplayContext& replay, std::span<const PmId> metrics,
                        const Profile& profile, bool in_columns) {
  if (replay.mode() != ReplayMode::interpolated || nanos(replay.step()) <= 0 || !in_columns) {
    return false;
  }
  metrics_.assign(metrics.begin(), metrics.end());
  profile_ = profile;
  if (!index_leads_to_records(replay, replay.now())) return false;
  ahead_ = FetchAhead::open(from_, metrics, replay.now(), replay.step());
  return ahead_ != nullptr;
}

// Later and later, where it is in vain.
bool ServedAhead::try_again(const ReplayContext& replay) {
  if (tries_in_ > 0 && --tries_in_ > 0) return false;
  // Alone: threads would read far ahead of what may be a few fetches.
  const FetchAhead::From alone{.recorded = from_.recorded, .reader = from_.recorded};
  ahead_ = FetchAhead::open(alone, metrics_, replay.now(), replay.step());
  if (ahead_ != nullptr && ahead_->load()) return true;
  ahead_.reset();
  tries_in_ = tried_ = wait_for_columns(tried_);
  return false;
}

// `replay` stands where this FetchAhead began.
void ServedAhead::hand_over(ReplayContext& replay) {
  done_ = done_ || ahead_->at_end();
  Stamp from = ahead_->now();
  uint64_t again = 0;
  if (!ahead_->at_end()) {
    if (!is_sound_) is_sound_ = Marks(from_.recorded.archives()).lengths_fit();
    const bool anew = *is_sound_ && ahead_->passed() > kFewFetches &&
                      index_leads_to_records(replay, ahead_->before_now(kWarmUpFetches));
    again = anew ? kWarmUpFetches : ahead_->passed();
    from = again == ahead_->passed() ? replay.now() : ahead_->before_now(again);
  }
  if (from != replay.now()) replay.set_mode(ReplayMode::interpolated, from, replay.step());
  Fetched spent{.in_columns = true};
  for (; again > 0; --again) static_cast<void>(replay.fetch(metrics_, profile_, spent));
  ahead_.reset();
  tried_ = tries_in_ = wait_for_columns(0);
}

}  // namespace pmjit
