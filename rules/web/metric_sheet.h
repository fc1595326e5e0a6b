// MetricSheet: the daemon's own metrics, counted by any thread, as Prometheus reads them (text
// format 0.0.4). Source: spec alerting.md §10.
//
//   MetricSheet sheet;
//   sheet.add(WebMetric::ticks_total, {{"group", "rules.pmie"}});
//   sheet.observe(WebMetric::tick_late_seconds, {{"group", "rules.pmie"}}, 0.002);
//   sheet.text()
//
// A metric that has never had a value is not there. Labels are few and of our own making; their
// values may be any text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "rules/alerts/alert_labels.h"

namespace pmjit {

enum class WebMetric : uint8_t {
#define WEB_METRIC(name, kind, help) name,
#include "rules/web/metrics.def"
#undef WEB_METRIC
};

class MetricSheet {
 public:
  void set(WebMetric metric, const AlertLabels& labels, double value);
  void add(WebMetric metric, const AlertLabels& labels, double more = 1);
  void observe(WebMetric metric, const AlertLabels& labels, double seconds);
  // A gauge with labels that come and go is emptied before it is set anew.
  void clear(WebMetric metric);
  [[nodiscard]] std::string text() const;

 private:
  static constexpr size_t kBuckets = 12;
  struct Series {
    double value = 0;  // of a histogram: the sum
    uint64_t count = 0;
    std::array<uint64_t, kBuckets> buckets{};  // each alone
  };
  struct Row;
  static void put(std::string& out, const Row& row, const AlertLabels& labels,
                  const Series& series);

  mutable std::mutex mutex_;
  std::map<WebMetric, std::map<AlertLabels, Series>> series_;
};

}  // namespace pmjit
