#include "tests/unit/feeds/memory_feed.h"

#include <algorithm>
#include <utility>

namespace pmjit::tests {

namespace {

Stamp later(Stamp stamp, Nanos by) { return stamp_from_nanos(nanos(stamp) + by); }

}  // namespace

MemoryFeed::MemoryFeed(const Clock& clock, const FeedTimes& times, Nanos patience, FleetRows rows,
                       std::vector<ScriptedAnswer> answers)
    : clock_(clock),
      times_(times),
      patience_(patience),
      rows_(std::move(rows)),
      answers_(std::move(answers)),
      due_(times.origin) {}

Result<Feed::Next> MemoryFeed::next(Wave& wave) {
  if (due_ > times_.end) return Next::end;
  const Stamp now = stamp_from_nanos(clock_.wall().time_since_epoch().count());
  if (now < due_) return Next::nothing_yet;
  if (!std::exchange(asked_, true)) rows_.start(due_);
  const bool more = take_arrived(now);
  const bool last = rows_.complete() || now >= later(due_, patience_);
  if (!more && !last) return Next::nothing_yet;
  rows_.make(wave, last);
  wave.late = now >= later(due_, times_.step);
  if (last) {
    due_ = later(due_, times_.step);
    asked_ = false;
  }
  return Next::wave;
}

Stamp MemoryFeed::due() const { return asked_ ? later(due_, patience_) : due_; }

void MemoryFeed::keep_rosters(Rosters& rosters) const { rows_.keep_rosters(rosters); }

bool MemoryFeed::take_arrived(Stamp now) {
  bool more = false;
  for (auto at = answers_.begin(); at != answers_.end();) {
    if (at->due != due_ || at->arrives > now) {
      ++at;
      continue;
    }
    if (at->status == kKnown) {
      rows_.answer(at->host_id, std::move(at->answer));
    } else {
      rows_.fail(at->host_id, at->status);
    }
    at = answers_.erase(at);
    more = true;
  }
  return more;
}

}  // namespace pmjit::tests
