// A host's summary as one JSON object; host_report.h has its members.
#include <fmt/format.h>

#include <array>

#include "runtime/model/pm_codes.h"
#include "runtime/report/find_named.h"
#include "runtime/report/host_info/host_report.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

constexpr std::array<HostReport, 2> kHostReports = {{
    {"text", "for people", host_text},
    {"json", "one object, stable", host_json},
}};

template <class List, class Make>
std::string array_json(const List& list, Make make) {
  std::string out = "[";
  for (const auto& item : list) {
    if (out.size() > 1) out += ',';
    out += make(item);
  }
  return out + ']';
}

std::string labels_json(const std::vector<std::string>& levels) {
  const std::string labels = joined_labels(levels);
  return labels.empty() ? "null" : labels;
}

std::string said_json(const std::string& text) { return text.empty() ? "null" : json_text(text); }

std::string agent_json(const AgentFacts& agent) {
  return fmt::format("{{\"domain\":{},\"name\":{},\"status\":{},\"metrics\":{}}}", agent.domain,
                     said_json(agent.name),
                     agent.status ? fmt::format("{}", *agent.status) : "null", agent.metrics);
}

std::string recorded_json(const RecordedFacts& recorded) {
  return fmt::format("{{\"records\":{},\"values\":{},\"errors\":{},\"interval\":{}}}",
                     recorded.records, recorded.values, recorded.errors,
                     recorded.interval ? double_text(*recorded.interval) : "null");
}

std::string facts_json(const MetricFacts& metric, bool in_detail) {
  std::string out =
      fmt::format("{{\"name\":{},\"pmid\":\"{}\"", json_text(metric.name), pmid_text(metric.pmid));
  if (metric.desc) {
    const Desc& desc = *metric.desc;
    out += fmt::format(",\"type\":{},\"semantics\":\"{}\",\"units\":{},\"indom\":{}",
                       json_text(value_type_text(desc.pm_type)), semantics_text(desc.semantics),
                       json_text(units_text(desc.units)),
                       desc.indom == kNullId ? "null" : '"' + indom_text(desc.indom) + '"');
  } else {
    out += ",\"error\":" + json_text(pm_error_text(metric.status));
  }
  if (in_detail) {
    out += fmt::format(",\"oneline\":{},\"help\":{},\"labels\":{}", said_json(metric.one_line),
                       said_json(metric.help), labels_json(metric.labels));
  }
  if (metric.recorded) out += ",\"recorded\":" + recorded_json(*metric.recorded);
  return out + '}';
}

std::string facts_json(const DomainFacts& domain, bool in_detail) {
  std::string out = fmt::format("{{\"indom\":\"{}\",", indom_text(domain.indom));
  if (domain.status == 0) {
    out += "\"instances\":" + array_json(domain.instances, [](const Catalog::Instance& instance) {
             return fmt::format("{{\"id\":{},\"name\":{}}}", instance.id, json_text(instance.name));
           });
  } else {
    out += "\"error\":" + json_text(pm_error_text(domain.status));
  }
  out += ",\"metrics\":" + array_json(domain.metrics, json_text);
  if (in_detail) out += ",\"oneline\":" + said_json(domain.one_line);
  return out + '}';
}

}  // namespace

std::string value_type_text(int pm_type) {
  const auto elem = elem_from_pm(pm_type);
  return std::string(elem ? elem_text(*elem) : pm_type_text(pm_type));
}

std::span<const HostReport> host_reports() { return kHostReports; }

const HostReport* find_host_report(std::string_view name) {
  return find_named(host_reports(), name);
}

std::string joined_labels(const std::vector<std::string>& levels) {
  const std::vector<std::string_view> sets(levels.begin(), levels.end());
  if (sets.empty()) return {};
  return merge_labels(sets).value_or("");
}

std::string host_json(const HostSummary& summary, const HostReportOptions&) {
  const bool detail = summary.in_detail;
  return fmt::format(
      "{{\"host\":{},\"asked\":{},\"version\":{},\"timezone\":{},\"time\":{},\"labels\":{},"
      "\"agents\":{},\"metrics\":{},\"domains\":{}}}\n",
      json_text(summary.name), json_text(summary.given), said_json(summary.version),
      said_json(summary.timezone), summary.time ? '"' + iso_utc(*summary.time) + '"' : "null",
      labels_json(summary.labels), array_json(summary.agents, agent_json),
      array_json(summary.metrics, [&](const auto& each) { return facts_json(each, detail); }),
      array_json(summary.domains, [&](const auto& each) { return facts_json(each, detail); }));
}

}  // namespace pmjit
