#include "runtime/report/metric_json.h"

#include "runtime/report/text/json_text.h"

namespace pmjit {

std::string metrics_json(std::span<const ResultInfo> infos) {
  std::string metrics;
  for (const ResultInfo& info : infos) {
    metrics += metrics.empty() ? "" : ",";
    metrics +=
        "{\"name\":" + json_text(info.name) + ",\"type\":\"" + std::string(elem_text(info.elem)) +
        "\",\"semantics\":\"" + std::string(semantics_text(info.semantics)) +
        "\",\"units\":" + json_text(units_text(info.units)) +
        ",\"indom\":" + (info.domain == kNullId ? "null" : "\"" + indom_text(info.domain) + "\"") +
        "}";
  }
  return "[" + metrics + "]";
}

}  // namespace pmjit
