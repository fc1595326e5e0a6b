// Faults: which simulated hosts misbehave, how and when. One fault per line of a file or option:
//
//   3        dead                      # the port is closed: connections are refused
//   7        hang       from 5s        # a result stops in the middle
//   8-19     slow 800ms from 2s to 20s # answers come later
//   20       lie 2GiB                  # a result claims to have so many bytes
//   21       flap 3s/3s                # so long up, so long dead, again and again
//   22       restart every 4s          # all connections end
//   all      churn 10                  # so many instances are replaced per second
//   24       garbage                   # results are no PDUs
//
// Times count from the start of the simulator. Of several faults of a host, the first one that is
// in force decides how a result looks. README.md says what each does exactly.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit::test {

using SimTime = std::chrono::nanoseconds;  // since the start

enum class FaultKind : uint8_t { dead, hang, slow, lie, flap, restart, churn, garbage };

struct SimFault {
  uint32_t first_host = 0, last_host = UINT32_MAX;
  FaultKind kind = FaultKind::dead;
  SimTime time{};       // slow: the delay; flap: how long up; restart: from one to the next
  SimTime dead_time{};  // flap
  uint32_t number = 0;  // lie: bytes; churn: instances per second
  SimTime from{}, to = SimTime::max();

  [[nodiscard]] bool concerns(uint32_t host) const {
    return host >= first_host && host <= last_host;
  }
  [[nodiscard]] bool in_force(SimTime now) const { return now >= from && now < to; }
  // Whether it keeps the port closed.
  [[nodiscard]] bool closes_port(SimTime now) const;
  // Whether it ever does.
  [[nodiscard]] bool may_close_port() const {
    return kind == FaultKind::dead || kind == FaultKind::flap;
  }
  // restart: how many there have been.
  [[nodiscard]] int64_t restarts(SimTime now) const;
  // churn: how many instances have gone.
  [[nodiscard]] int64_t replaced(SimTime now) const;
  // When it next begins, ends, or opens or closes the port; none: never again.
  [[nodiscard]] std::optional<SimTime> next_change(SimTime now) const;
};

// A line; a comment is left out. None: there is nothing in it.
[[nodiscard]] Result<std::optional<SimFault>> parse_fault(std::string_view line);

}  // namespace pmjit::test
