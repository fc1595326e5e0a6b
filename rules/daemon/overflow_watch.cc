#include "rules/daemon/overflow_watch.h"

#include <limits>
#include <utility>

namespace pmjit {

OverflowWatch::OverflowWatch(AlertBoard& board, MetricSheet& metrics, std::string page)
    : board_(board), metrics_(metrics), page_(std::move(page)) {}

// There is room for this one.
AlertOutput OverflowWatch::output() const {
  return {.sinks = &config_->sinks,
          .board = board_,
          .metrics = metrics_,
          .page = page_,
          .most = std::numeric_limits<size_t>::max()};
}

StateBatch OverflowWatch::change(std::shared_ptr<const DaemonConfig> config, WallTime at) {
  config_ = std::move(config);
  AlertTable table = overflow_table(*config_);
  if (alert_ == nullptr) {
    alert_ = std::make_unique<AlertBinding>(AlertKey{.rule = std::string(kOverflowRule)},
                                            std::move(table), "", kBetweenLooks, "");
    return {};
  }
  AlertOutput out = output();
  alert_->change(std::move(table), at, out);
  return std::move(out.batch);
}

void OverflowWatch::restore(std::map<AlertKey, StoredAlert>& states) {
  const auto kept = states.find(alert_->key());
  if (kept == states.end()) return;
  alert_->restore(kept->second);
  states.erase(kept);
}

// Its own alert counts, so one alert more or less does not make it come and go.
StateBatch OverflowWatch::look(WallTime at) {
  is_full_ = board_.size() >= static_cast<size_t>(config_->alerts.max);
  AlertOutput out = output();
  alert_->step({.truth = is_full_ ? RuleTruth::yes : RuleTruth::no, .at = at}, out);
  return std::move(out.batch);
}

}  // namespace pmjit
