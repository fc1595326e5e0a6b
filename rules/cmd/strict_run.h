// Rules of the strict dialect, run by a verb: archives opened, the evaluator chosen from the work.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/model/events.h"
#include "rules/strict/rule_set.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/base/clock.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

class LiveHosts;

struct StrictRun {
  LiveHosts* live = nullptr;  // rules run over them as time goes by; there are no archives then
  std::span<const std::unique_ptr<ArchivesSource>> hosts;
  std::vector<std::string> connections;  // of each host: what %c is
  Stamp origin, end;
  Zone zone;
  std::span<const SourceText> definitions{};  // files of derived metrics
  unsigned threads = 1;
  const Clock* clock = nullptr;            // of a live run
  std::function<void(double)> progress{};  // over archives: how much of the window is behind, 0 … 1
  bool stats = false;                      // says how late evaluations of many hosts ended
  size_t* left_out = nullptr;              // live: of rules whose metrics are not there, at the end
};

// What is wrong with the rules is said. Live it ends when `stop` says so, or at the end.
[[nodiscard]] Result<void> replay_strict(const strict::RuleSet& rules, const StrictRun& run,
                                         EventWriter& writer, const std::function<bool()>& stop);

// Why a rule is as it is at the last evaluation up to the end of the run: its name, the time, and
// the tree.
[[nodiscard]] Result<std::string> why_strict(const strict::RuleSet& rules, const std::string& name,
                                             const StrictRun& run, bool tree);

// How the rules of each interval are compiled: the evaluator, and unless `summary` what each shape
// of their operators costs in it. Nothing is evaluated.
[[nodiscard]] Result<std::string> how_strict(const strict::RuleSet& rules, const StrictRun& run,
                                             bool summary);

}  // namespace pmjit
