#include "runtime/report/sweep/sweep.h"

#include <fmt/format.h>

#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

double seconds(Nanos time) { return static_cast<double>(time) / 1e9; }

std::string number(double value, std::optional<int> digits) {
  char text[kNumberBytes];
  return {text, put_double(text, value, digits)};
}

std::string time_text(const std::optional<Stamp>& time) { return time ? iso_utc(*time) : ""; }

}  // namespace

void SweepWriter::begin(const Schema& schema) {
  Writer::begin(schema);
  numbers_.emplace(*schema_.rosters);
}

Result<void> SweepWriter::write(const ResultBlock& block) {
  std::vector<SweepStep> steps;
  for (size_t i = 0; i < block.times.size(); ++i, ++times_) {
    SweepStep step{.time = block.times[i], .joined = times_ != 0 && block.after_gap[i] == 0};
    if (step.joined) step.since = nanos(step.time) - nanos(last_);
    if (times_ == 0) first_ = step.time;
    last_ = step.time;
    time_ += step.since;
    steps.push_back(step);
  }
  // Point after point: its truth values lie together.
  for (size_t k = 0; k < summaries_.size(); ++k) {
    const Column& column = block.columns[k];
    for (size_t i = 0; i < steps.size(); ++i) {
      summaries_[k].add(steps[i], column, column.rows[i], *schema_.rosters, *numbers_);
    }
    values_ += steps.size();
  }
  return {};
}

double SweepWriter::share(Nanos part) const { return seconds(part) / seconds(time_); }

std::vector<SweepField> SweepWriter::fields(size_t point) {
  SweepSummary& summary = summaries_[point];
  const auto as_seconds = [&](Nanos time) { return number(seconds(time), options_.digits); };
  const auto as_share = [&](Nanos part) {
    return time_ == 0 ? "" : number(share(part), options_.digits);
  };
  const bool several = over_instances();
  return {
      {"first", time_text(summary.first), true},
      {"last", time_text(summary.last), true},
      {"true_seconds", as_seconds(summary.true_time)},
      {"longest_seconds", as_seconds(summary.longest)},
      {"episodes", fmt::to_string(summary.episodes)},
      {"instances_most", several ? fmt::to_string(summary.most) : ""},
      {"instances_ever", several ? fmt::to_string(summary.ever.count()) : ""},
      {"share_true", as_share(summary.true_time)},
      {"share_unknown", as_share(summary.unknown_time)},
      {"seconds", as_seconds(time_)},
  };
}

}  // namespace pmjit
