#include "runtime/report/metric_json.h"

#include "runtime/report/text/quoting.h"

namespace pmjit {

std::string metrics_json(std::span<const ResultInfo> infos) {
  std::string metrics;
  for (const ResultInfo& info : infos) {
    metrics += metrics.empty() ? "" : ",";
    const InDomId domain = info.recorded_domain == kNullId ? info.domain : info.recorded_domain;
    metrics += "{" + (info.host.empty() ? "" : "\"host\":" + json_text(info.host) + ",");
    metrics +=
        "\"name\":" + json_text(info.name) + ",\"type\":\"" + std::string(elem_text(info.elem)) +
        "\",\"semantics\":\"" + std::string(semantics_text(info.semantics)) +
        "\",\"units\":" + json_text(units_text(info.units)) +
        ",\"indom\":" + (domain == kNullId ? "null" : "\"" + indom_text(domain) + "\"") + "}";
  }
  return "[" + metrics + "]";
}

}  // namespace pmjit
