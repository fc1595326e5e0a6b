// What eval says of a window without a record of its metrics: an output without a row could be
// taken for an answer.
#include <fmt/core.h>

#include <optional>

#include "rules/cmd/eval_job.h"
#include "runtime/exec/evaluator.h"

namespace pmjit {

namespace {

struct AroundWindow {
  std::optional<Stamp> before, after;
};

// The nearest records that have one of these metrics.
AroundWindow around(const Window& window, const Recording& source, const Program& program) {
  AroundWindow out;
  Rosters rosters;
  const auto cursor = source.open({.metrics = wanted_by(program)}, rosters);
  if (!cursor) return out;
  Block block;
  while (true) {
    const auto more = (*cursor)->next(block);
    if (!more || !*more) return out;
    for (const Record& record : block.records) {
      if (record.mark) continue;
      if (record.stamp > window.end) {
        out.after = record.stamp;
        return out;
      }
      if (record.stamp < window.origin) out.before = record.stamp;
    }
  }
}

std::string nearest_text(const AroundWindow& there, const Zone& zone) {
  std::string out;
  if (there.before) {
    out = fmt::format("; the last one before is at {}", iso_local(*there.before, zone));
  }
  if (there.after) {
    out += fmt::format("{} at {}", there.before ? ", the next one" : "; the first one is",
                       iso_local(*there.after, zone));
  }
  return out;
}

}  // namespace

std::string note_of_empty_window(const EvalJob& job, const Program& program) {
  if (program.operands.empty()) return {};
  const AroundWindow there = around(job.window, *job.recorded, program);
  const size_t more = program.roots.size() - 1;
  const std::string end =
      job.window.end == kStampMax ? "the end of the archive" : iso_local(job.window.end, *job.zone);
  return fmt::format(
      "nothing was recorded for {}{} between {} and {}, so there is no row{}{}",
      program.roots.front().info.name, more == 0 ? "" : fmt::format(" and {} more", more),
      iso_local(job.window.origin, *job.zone), end, nearest_text(there, *job.zone),
      there.before || there.after ? "\n  help: choose a window with a record by -S and -T" : "");
}

}  // namespace pmjit
