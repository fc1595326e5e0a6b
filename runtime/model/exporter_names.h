// Names of metrics in Prometheus' node_exporter, and PCP's for the same.
//
//   name_in_pcp("node_load1")   → "kernel.all.load"
#pragma once

#include <string_view>

namespace pmjit {

// "": it is none of them.
[[nodiscard]] std::string_view name_in_pcp(std::string_view exporter_name);

}  // namespace pmjit
