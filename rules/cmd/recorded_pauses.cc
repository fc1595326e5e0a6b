// When nothing was recorded, by the heads of the records.
#include <fmt/core.h>

#include "rules/cmd/common.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/recorded_window.h"
#include "runtime/archive/reader/mark_scan.h"
#include "runtime/base/limits.h"
#include "runtime/report/plot/pause_watch.h"
#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

// From one record to the next.
struct RecordedStep {
  Stamp from, to;
  bool interrupted = false;  // by a mark, or between two archives
  [[nodiscard]] Nanos length() const { return nanos(to) - nanos(from); }
};

// use(step) of each, as long as it says true; up to the first record that is damaged.
template <class Use>
void each_step(const Archives& archives, Use use) {
  std::optional<Stamp> last;
  for (size_t i = 0; i < archives.size(); ++i) {
    bool interrupted = true;
    MarkScan scan(archives[i].label(), archives[i].volumes(), {});
    while (const auto record = scan.next()) {
      if (!record->mark && last) {
        if (!use(RecordedStep{*last, record->stamp, interrupted})) return;
      }
      interrupted = record->mark;
      if (!record->mark) last = record->stamp;
    }
  }
}

// use(step) of pauses and interruptions, likewise.
template <class Use>
void each_pause(const Archives& archives, Use use) {
  // What is usual shows in the first steps, not in the very first.
  PauseWatch watch;
  size_t known = 0;
  each_step(archives, [&](const RecordedStep& step) {
    if (!step.interrupted) watch.remember(step.length()), ++known;
    return known < PauseWatch::kStepsKept;
  });
  each_step(archives, [&](const RecordedStep& step) {
    const bool pause = step.interrupted || watch.is_pause(step.length());
    const bool goes_on = !pause || step.length() <= 0 || use(step);
    if (!step.interrupted) watch.remember(step.length());
    return goes_on;
  });
}

// Has the grid a time between two records?
bool falls_into(const GridTimes& grid, const RecordedStep& step) {
  if (step.to <= grid.from || step.from >= grid.to) return false;
  const Nanos behind = std::max<Nanos>(nanos(step.from) - nanos(grid.from), -1);
  const Nanos next = behind < 0 ? 0 : (behind / grid.step + 1) * grid.step;
  const Nanos time = nanos(grid.from) + next;
  return time < nanos(step.to) && time <= nanos(grid.to);
}

}  // namespace

std::vector<TimeSpan> recorded_pauses(const Archives& archives) {
  std::vector<TimeSpan> out;
  each_pause(archives, [&](const RecordedStep& step) {
    out.push_back({.first = step.from, .last = step.to});
    return out.size() < limits::kGapsMax;
  });
  return out;
}

void note_pauses(const GridTimes& grid, const Archives& archives, const Zone& zone) {
  std::optional<RecordedStep> longest;
  size_t count = 0;
  each_pause(archives, [&](const RecordedStep& step) {
    if (step.interrupted || !falls_into(grid, step)) return step.from < grid.to;
    if (!longest || step.length() > longest->length()) longest = step;
    ++count;
    return true;
  });
  if (!longest) return;
  const std::string host = archives.label().host;
  complain(fmt::format(
      "note: {} recorded nothing for {}, from {} to {}{}; values of these times are interpolated",
      host, human_duration(seconds_between(longest->to, longest->from)),
      iso_local(longest->from, zone), iso_local(longest->to, zone),
      count == 1 ? ""
                 : fmt::format(", and in {} shorter pause{}", count - 1, count == 2 ? "" : "s")));
}

}  // namespace pmjit
