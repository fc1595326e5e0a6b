// process_*: what Prometheus's client libraries tell of the process that has them, in the text
// format. What /proc does not say is left out.
#pragma once

#include <string>

namespace pmjit {

[[nodiscard]] std::string process_metrics_text();

}  // namespace pmjit
