#include "rules/web/metric_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace pmjit {

struct MetricSheet::Row {
  std::string_view name, kind, help;
};

namespace {

// Series of rule_seconds_total; the rest of the rules are one more.
constexpr size_t kRulesMost = 200;

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
  const std::scoped_lock lock(mutex_);
  series_[metric][labels].times.add(seconds);
}

void MetricSheet::add_times(WebMetric metric, const AlertLabels& labels, const TimeCounts& times) {
  const std::scoped_lock lock(mutex_);
  series_[metric][labels].times.add(times);
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
  const TimeCounts& times = series.times;
  uint64_t below = 0;
  for (size_t i = 0; i < times.buckets.size(); ++i) {
    below += times.buckets.at(i);
    out +=
        fmt::format("pmjit_{}_bucket{} {}\n", row.name,
                    labels_in_braces(labels, fmt::format("{}", TimeCounts::kBounds.at(i))), below);
  }
  out += fmt::format("pmjit_{}_bucket{} {}\n", row.name, labels_in_braces(labels, "+Inf"),
                     times.count);
  out += fmt::format("pmjit_{}_sum{} {}\n", row.name, labels_in_braces(labels), times.seconds);
  out += fmt::format("pmjit_{}_count{} {}\n", row.name, labels_in_braces(labels), times.count);
}

MetricSheet::AllSeries MetricSheet::dearest(const AllSeries& all) {
  if (all.size() <= kRulesMost) return all;
  std::vector<double> values;
  for (const auto& [labels, series] : all) values.push_back(series.value);
  const auto last = values.begin() + kRulesMost;
  std::ranges::nth_element(values, last, std::greater{});
  AllSeries out;
  for (const auto& [labels, series] : all) {
    const bool is_dear = series.value > *last;
    out[is_dear ? labels : AlertLabels{{"rule", "other"}}].value += series.value;
  }
  return out;
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
    const bool of_rules = metric == WebMetric::rule_seconds_total;
    for (const auto& [labels, series] : of_rules ? dearest(all) : all) {
      put(out, row, labels, series);
    }
  }
  return out;
}

}  // namespace pmjit
