// HostHealth: what became of the times at which a host was asked: whether the last one had an
// answer, why not, and how many had none. Feeds of one host that are due together are one time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct HostTally {
  uint64_t times = 0, missed = 0;
};

class HostHealth {
 public:
  // A time has ended, with an answer or without one. `why`: the fetch has failed; `host` is what
  // messages call it.
  void end_time(Stamp due, bool answered, const std::optional<Error>& why, const std::string& host);

  // The time that ended last; none: none has.
  [[nodiscard]] const std::optional<Stamp>& ended() const { return ended_; }
  // Of the time that ended last: why there was no answer. None: there was one. A host that hangs is
  // down, too.
  [[nodiscard]] const std::optional<Error>& why_down() const { return why_down_; }
  // Of the same time: nothing had failed, and the answer may still come.
  [[nodiscard]] bool late() const { return late_; }
  [[nodiscard]] const HostTally& tally() const { return tally_; }

 private:
  std::optional<Stamp> ended_;
  std::optional<Error> why_down_;
  bool late_ = false;
  HostTally tally_;
  Stamp counted_ = kStampMin;  // the newest time of tally_
};

}  // namespace pmjit
