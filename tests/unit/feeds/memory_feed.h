// MemoryFeed: what hosts answer and when, written down beforehand, as a feed. No thread and no
// socket: time is what the clock of the test says. A wave comes when a host has answered; the last
// of its time when all have, or when patience is at an end.
//
//   FakeClock clock({.wall = …});
//   MemoryFeed feed(clock, {.origin = due, .step = step}, patience, rows, answers);
//   … clock.advance(100ms);
#pragma once

#include <vector>

#include "runtime/base/clock.h"
#include "runtime/model/feed.h"

namespace pmjit::tests {

struct ScriptedAnswer {
  HostId host_id;
  Stamp due;      // the time that was asked for
  Stamp arrives;  // when the answer is there
  HostAnswer answer{};
  int32_t status = kKnown;  // else the host failed so
};

class MemoryFeed final : public Feed {
 public:
  // It ends behind times.end. `clock` outlives it.
  MemoryFeed(const Clock& clock, const FeedTimes& times, Nanos patience, FleetRows rows,
             std::vector<ScriptedAnswer> answers);

  Result<Next> next(Wave& wave) override;
  Stamp due() const override;
  void keep_rosters(Rosters& rosters) const override;

 private:
  // Takes what has arrived for the time at hand. False: nothing new.
  bool take_arrived(Stamp now);

  const Clock& clock_;
  FeedTimes times_;
  Nanos patience_;
  FleetRows rows_;
  std::vector<ScriptedAnswer> answers_;
  Stamp due_;
  bool asked_ = false;  // for the time at hand
};

}  // namespace pmjit::tests
