// Strict rules over live hosts, whoever runs them: `pmjit run`, or the drop-in pmie.
#pragma once

#include <functional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"

namespace pmjit {

class EventWriter;

namespace strict {
class StrictReplay;
}

struct StrictLive {
  std::function<bool()> stop;
  // Lets the hosts work until something has come, at most until then.
  std::function<void(Stamp wakes)> wait;
  // Takes lines without the name of the program, and without their end.
  std::function<void(const std::string&)> put;
};

// Evaluates each time when it is there, until the last one or until `stop`. Warnings are put as
// they come, and at the end how many times were skipped. An error is one of evaluation.
[[nodiscard]] Result<void> run_strict_live(strict::StrictReplay& replay, EventWriter& writer,
                                           const StrictLive& live);

}  // namespace pmjit
