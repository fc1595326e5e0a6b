// OverflowWatch: the built-in alert pmjit.overflow: as many alerts are pending or fire as [alerts]
// max allows, so more are dropped. Source: spec alerting.md §2.2.
//
//   OverflowWatch watch(board, metrics, page);
//   watch.change(config, now);           // before the first look, and at each reload
//   watch.restore(states);
//   StateBatch batch = watch.look(now);  // once a second
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "rules/daemon/alert_binding.h"

namespace pmjit {

class OverflowWatch {
 public:
  static constexpr Milliseconds kBetweenLooks{1'000};

  // Both outlive it.
  OverflowWatch(AlertBoard& board, MetricSheet& metrics, std::string page);

  [[nodiscard]] StateBatch change(std::shared_ptr<const DaemonConfig> config, WallTime at);
  // Takes out of `states` what is its own.
  void restore(std::map<AlertKey, StoredAlert>& states);
  [[nodiscard]] StateBatch look(WallTime at);
  [[nodiscard]] bool is_full() const { return is_full_; }  // at the last look
  [[nodiscard]] std::vector<StoredAlert> states() const { return alert_->states(); }

 private:
  [[nodiscard]] AlertOutput output() const;

  AlertBoard& board_;
  MetricSheet& metrics_;
  std::string page_;
  std::shared_ptr<const DaemonConfig> config_;
  std::unique_ptr<AlertBinding> alert_;  // null: there is no configuration yet
  bool is_full_ = false;
};

}  // namespace pmjit
