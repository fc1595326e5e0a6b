// AlertBoard: alerts that are pending or fire, as they are now, for whoever asks. Source: spec
// alerting.md §10.
//
//   board.put(key, {.labels = labels, .firing = true, .since = since, .value = "1e+00"});
//   board.drop(key);
//   board.json()         what GET /api/v1/alerts answers: Prometheus's shape
//
// Any thread may do any of it.
#pragma once

#include <compare>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "rules/state/state_batch.h"

namespace pmjit {

struct AlertView {
  AlertLabels labels{}, notes{};
  bool firing = false;  // else pending
  WallTime since{};
  std::string value{};
  std::optional<WallTime> unknown_since{};
  std::string reason{};  // why it is unknown
};

class AlertBoard {
 public:
  void put(const AlertKey& key, AlertView view);
  void drop(const AlertKey& key);
  [[nodiscard]] std::string json() const;
  [[nodiscard]] size_t size() const;
  // How many there are of each state and severity, as labels of a metric.
  [[nodiscard]] std::map<AlertLabels, size_t> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<AlertKey, AlertView> alerts_;
};

}  // namespace pmjit
