#include "rules/cmd/strict_live.h"

#include "rules/cmd/host_warnings.h"
#include "rules/strict/strict_replay.h"

namespace pmjit {

Result<void> run_strict_live(strict::StrictReplay& replay, EventWriter& writer,
                             const StrictLive& live) {
  using Progress = strict::StrictReplay::Progress;
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
