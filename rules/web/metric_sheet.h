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

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "rules/alerts/alert_labels.h"
#include "runtime/base/time_counts.h"

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
  void add_times(WebMetric metric, const AlertLabels& labels, const TimeCounts& times);
  // A gauge with labels that come and go is emptied before it is set anew.
  void clear(WebMetric metric);
  [[nodiscard]] std::string text() const;

 private:
  struct Series {
    double value = 0;
    TimeCounts times{};  // of a histogram
  };
  using AllSeries = std::map<AlertLabels, Series>;
  struct Row;
  static AllSeries dearest(const AllSeries& all);
  static void put(std::string& out, const Row& row, const AlertLabels& labels,
                  const Series& series);

  mutable std::mutex mutex_;
  std::map<WebMetric, AllSeries> series_;
};

}  // namespace pmjit
