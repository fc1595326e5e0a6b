#include "runtime/client/archive_context/served_ahead.h"

#include <algorithm>
#include <utility>

namespace pmjit {

bool ServedAhead::serve(ReplayContext& replay, std::span<const PmId> metrics,
                        const Profile& profile, Fetched& out) {
  if (!std::exchange(begun_, true) && out.in_columns) begin(replay, metrics, profile);
  if (ahead_ == nullptr) return false;
  const bool is_same = of(metrics) != nullptr && profile == profile_ && out.in_columns;
  if (!is_same || !ahead_->load()) {
    end(replay);
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

void ServedAhead::begin(const ReplayContext& replay, std::span<const PmId> metrics,
                        const Profile& profile) {
  if (replay.mode() != ReplayMode::interpolated || nanos(replay.step()) <= 0) return;
  metrics_.assign(metrics.begin(), metrics.end());
  profile_ = profile;
  ahead_ = FetchAhead::open(recorded_, metrics, replay.now(), replay.step());
}

// What interpolation gives depends on what it was asked before, unless the recording has ended.
void ServedAhead::end(ReplayContext& replay) {
  if (ahead_->at_end()) {
    replay.set_mode(ReplayMode::interpolated, ahead_->now(), replay.step());
  } else {
    Fetched spent{.in_columns = true};
    for (uint64_t left = ahead_->passed(); left > 0; --left) {
      static_cast<void>(replay.fetch(metrics_, profile_, spent));
    }
  }
  ahead_.reset();
}

}  // namespace pmjit
