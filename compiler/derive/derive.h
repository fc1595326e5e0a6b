// Derived metrics for whoever reads metrics: the implementation of runtime/client/deriver.h.
//
//   const auto derived = make_derived_metrics({.dialect = Dialect::pcp6});
//   MetricContext context(archives, BadVolumes::pass_over, *derived);
#pragma once

#include <memory>

#include "compiler/ast/dialect.h"
#include "runtime/client/deriver.h"

namespace pmjit {

struct DeriveOptions {
  Dialect dialect = Dialect::pcp6;  // a compatible one
};

// $PCP_DERIVED_CONFIG and $PCP_DERIVED_CONTROL are read when the facility is first used.
[[nodiscard]] std::unique_ptr<DerivedMetrics> make_derived_metrics(const DeriveOptions& options);

}  // namespace pmjit
