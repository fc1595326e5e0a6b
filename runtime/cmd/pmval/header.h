// What pmval says before the first value. Source: spec pmapi.md §24.2.
#pragma once

#include <string>

#include "runtime/cmd/pmval/followed_metric.h"
#include "runtime/text/interval.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ValPlan {
  Stamp start, end;  // the window; the first sample is at the start
  NanoTime interval{1, 0};
  std::optional<int> samples;  // none: until the end
};

[[nodiscard]] std::string val_header(const ValSeries& series, const ValRequest& request,
                                     const ValPlan& plan, const std::string& archive,
                                     const std::string& host, Zone& zone);

}  // namespace pmjit
