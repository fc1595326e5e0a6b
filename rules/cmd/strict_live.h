// The loop that evaluates strict rules over live hosts. `pmjit run` and the drop-in pmie use it.
#pragma once

#include <functional>
#include <string>

#include "rules/cmd/host_warnings.h"
#include "runtime/base/result.h"
#include "runtime/model/stamp.h"

namespace pmjit {

class EventWriter;

struct StrictLive {
  std::function<bool()> stop;
  // Lets the hosts work until something has come, at most until then.
  std::function<void(Stamp wakes)> wait;
  // Takes lines without the name of the program, and without their end.
  std::function<void(const std::string&)> put;
};

// Evaluates each time when it is there, until the last one or until `stop`. Warnings are put as
// they come, and at the end how many times were skipped. An error is one of evaluation. `Replay`:
// of one host or of some (StrictReplay), or of many (FleetReplay).
template <class Replay>
[[nodiscard]] Result<void> run_strict_live(Replay& replay, EventWriter& writer,
                                           const StrictLive& live) {
  using Progress = typename Replay::Progress;
  const auto put_warnings = [&] {
    for (const std::string& warning : replay.take_warnings()) live.put("warning: " + warning);
  };
  replay.begin(writer);
  while (!live.stop()) {
    const auto progress = replay.advance();
    if (!progress) return fail(progress.error());
    if (*progress == Progress::ended) break;
    if (*progress != Progress::waits) continue;
    live.wait(replay.wakes());
    put_warnings();
  }
  replay.end();
  put_warnings();
  const std::string skipped = skipped_warning(replay.skipped());
  if (!skipped.empty()) live.put(skipped);
  return {};
}

}  // namespace pmjit
