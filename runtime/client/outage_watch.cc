#include "runtime/client/outage_watch.h"

#include <algorithm>
#include <utility>

namespace pmjit {

namespace {

constexpr uint64_t kPatienceMost = 640;

}  // namespace

OutageWatch::Change OutageWatch::look(const HostHealth& health) {
  const HostTally& tally = health.tally();
  if (tally.times == 0) return Change::none;
  const bool answered = tally.times - last_miss_ > 1;  // between the last two misses
  if (tally.missed != missed_) {
    missed_ = tally.missed;
    last_miss_ = tally.times;
  }
  if (health.why_down()) return health.late() ? begin_late() : begin_lost_after(answered);
  if (state_ == State::up) return Change::none;
  if (state_ == State::late && tally.times - last_miss_ < patience_) return Change::none;
  if (state_ == State::late) patience_ = std::min(2 * patience_, kPatienceMost);
  state_ = State::up;
  return Change::back;
}

OutageWatch::Change OutageWatch::begin_late() {
  if (state_ != State::up) return Change::none;
  state_ = State::late;
  return Change::late;
}

// What was called slow and never answered since is the same outage.
OutageWatch::Change OutageWatch::begin_lost_after(bool answered) {
  const State before = std::exchange(state_, State::lost);
  const bool is_new = before == State::up || (before == State::late && answered);
  return is_new ? Change::lost : Change::none;
}

}  // namespace pmjit
