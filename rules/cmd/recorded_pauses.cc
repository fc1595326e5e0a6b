// When nothing was recorded, by the heads of the records.
#include <fmt/core.h>

#include <utility>
#include <vector>

#include "rules/cmd/common.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/recorded_window.h"
#include "runtime/archive/recording/marks.h"
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

// Steps from record to record, of their heads in order.
class RecordedSteps {
 public:
  // None: a mark, or the first record.
  std::optional<RecordedStep> add(const MarkScan::Scanned& head, const Archive& archive) {
    const bool interrupted = std::exchange(archive_, &archive) != &archive || after_mark_;
    after_mark_ = head.mark;
    if (head.mark) return std::nullopt;
    const auto from = std::exchange(last_, head.stamp);
    if (!from) return std::nullopt;
    return RecordedStep{.from = *from, .to = head.stamp, .interrupted = interrupted};
  }

 private:
  const Archive* archive_ = nullptr;
  bool after_mark_ = false;
  std::optional<Stamp> last_;
};

// Calls use(step) for pauses and interruptions. The first steps show what is usual, so they are
// judged together.
template <class Use>
class PauseFinder {
 public:
  explicit PauseFinder(Use use) : use_(std::move(use)) {}

  void add(const RecordedStep& step) {
    if (!early_) judge(step);
    if (!step.interrupted) watch_.remember(step.length());
    if (!early_) return;
    first_.push_back(step);
    if (first_.size() == PauseWatch::kStepsKept) judge_first();
  }
  void end() {
    if (early_) judge_first();
  }

 private:
  void judge_first() {
    early_ = false;
    for (const RecordedStep& step : first_) judge(step);
  }
  void judge(const RecordedStep& step) {
    const bool pause = step.interrupted || watch_.is_pause(step.length());
    if (pause && step.length() > 0) use_(step);
  }

  Use use_;
  PauseWatch watch_;
  std::vector<RecordedStep> first_;
  bool early_ = true;
};

// Has the grid a time between two records?
bool falls_into(const GridTimes& grid, const RecordedStep& step) {
  if (step.to <= grid.from || step.from >= grid.to) return false;
  const Nanos behind = std::max<Nanos>(nanos(step.from) - nanos(grid.from), -1);
  const Nanos next = behind < 0 ? 0 : (behind / grid.step + 1) * grid.step;
  const Nanos time = nanos(grid.from) + next;
  return time < nanos(step.to) && time <= nanos(grid.to);
}

}  // namespace

HostPauses recorded_pauses(const Archives& archives) {
  HostPauses out{{.span = {.first = {}, .last = archives.start()}}};
  PauseFinder finder([&](const RecordedStep& step) {
    if (out.size() >= limits::kGapsMax) return;
    out.push_back({.span = {.first = step.from, .last = step.to}, .interrupted = step.interrupted});
  });
  Stamp last = archives.start();
  RecordedSteps steps;
  scan_heads(archives, archives.start(), kStampMax,
             [&](const MarkScan::Scanned& head, const Archive& archive) {
               if (const auto step = steps.add(head, archive)) finder.add(*step);
               if (!head.mark) last = head.stamp;
             });
  finder.end();
  out.push_back({.span = {.first = last, .last = kStampMax}});
  return out;
}

void warn_of_times(const GridTimes& grid, const Archives& archives, const Zone& zone) {
  std::optional<RecordedStep> longest;
  size_t count = 0;
  PauseFinder finder([&](const RecordedStep& step) {
    if (step.interrupted || !falls_into(grid, step)) return;
    if (!longest || step.length() > longest->length()) longest = step;
    ++count;
  });
  StepsBack back;
  RecordedSteps steps;
  scan_heads(archives, grid.from, grid.to,
             [&](const MarkScan::Scanned& head, const Archive& archive) {
               back.add(head, archive);
               if (const auto step = steps.add(head, archive)) finder.add(*step);
             });
  finder.end();
  if (const auto warning = back.warning()) complain("warning: " + *warning);
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
