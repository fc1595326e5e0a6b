#include "rules/web/metric_sheet.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmjit {

struct MetricSheet::Row {
  std::string_view name, kind, help;
};

namespace {

constexpr auto kBounds =
    std::to_array({0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0});

// As the format wants it.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

std::string labels_in_braces(AlertLabels labels, std::string_view bound = {}) {
  if (!bound.empty()) labels["le"] = bound;
  if (labels.empty()) return {};
  std::string out = "{";
  for (const auto& [name, value] : labels) {
    if (out.size() > 1) out += ',';
    out += fmt::format("{}=\"{}\"", name, escaped(value));
  }
  return out += '}';
}

}  // namespace

void MetricSheet::set(WebMetric metric, const AlertLabels& labels, double value) {
  const std::scoped_lock lock(mutex_);
  series_[metric][labels].value = value;
}

void MetricSheet::add(WebMetric metric, const AlertLabels& labels, double more) {
  const std::scoped_lock lock(mutex_);
  series_[metric][labels].value += more;
}

void MetricSheet::observe(WebMetric metric, const AlertLabels& labels, double seconds) {
  static_assert(kBounds.size() == kBuckets);
  const std::scoped_lock lock(mutex_);
  Series& series = series_[metric][labels];
  series.value += seconds;
  ++series.count;
  const auto bound = std::ranges::lower_bound(kBounds, seconds);
  if (bound != kBounds.end()) ++series.buckets.at(static_cast<size_t>(bound - kBounds.begin()));
}

void MetricSheet::clear(WebMetric metric) {
  const std::scoped_lock lock(mutex_);
  series_.erase(metric);
}

void MetricSheet::put(std::string& out, const Row& row, const AlertLabels& labels,
                      const Series& series) {
  if (row.kind != "histogram") {
    out += fmt::format("pmjit_{}{} {}\n", row.name, labels_in_braces(labels), series.value);
    return;
  }
  uint64_t below = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    below += series.buckets.at(i);
    out += fmt::format("pmjit_{}_bucket{} {}\n", row.name,
                       labels_in_braces(labels, fmt::format("{}", kBounds.at(i))), below);
  }
  out += fmt::format("pmjit_{}_bucket{} {}\n", row.name, labels_in_braces(labels, "+Inf"),
                     series.count);
  out += fmt::format("pmjit_{}_sum{} {}\n", row.name, labels_in_braces(labels), series.value);
  out += fmt::format("pmjit_{}_count{} {}\n", row.name, labels_in_braces(labels), series.count);
}

std::string MetricSheet::text() const {
  static constexpr auto kRows = std::to_array<Row>({
#define WEB_METRIC(name, kind, help) {#name, #kind, help},
#include "rules/web/metrics.def"
#undef WEB_METRIC
  });
  const std::scoped_lock lock(mutex_);
  std::string out;
  for (const auto& [metric, all] : series_) {
    const Row& row = kRows.at(static_cast<size_t>(metric));
    out += fmt::format("# HELP pmjit_{} {}\n# TYPE pmjit_{} {}\n", row.name, row.help, row.name,
                       row.kind);
    for (const auto& [labels, series] : all) put(out, row, labels, series);
  }
  return out;
}

}  // namespace pmjit
