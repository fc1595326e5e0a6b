// ExpectedWork: how many values a run will have of each metric, as far as anybody can tell before
// it. The choice between interpreter and kernels is made from it. An archive can tell; of a host
// nobody knows how long it will be asked, and everything starts in the interpreter.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/model/desc.h"

namespace pmjit {

struct MetricWork {
  double rows = 0, lanes = 1;  // of one row
};

struct ExpectedWork {
  double values_most = 0;  // of a metric, known at once; 0: nothing is known
  // One a metric, in order. Asked only where values_most could pay for kernels, or somebody
  // wants to see it.
  std::function<std::vector<MetricWork>(std::span<const PmId>)> of_metrics{};
};

}  // namespace pmjit
