// Derived metrics for whoever reads metrics: the implementation of runtime/client/deriver.h.
//
//   const auto derived = make_derived_metrics({.dialect = Dialect::pcp6});
//   DerivedContext context(std::move(archive_context), *derived);
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ast/dialect.h"
#include "compiler/compat/registry/strict.h"
#include "runtime/client/deriver.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct DeriveOptions {
  Dialect dialect = Dialect::pcp6;  // a compatible one
  bool for_all = false;             // also of files that say that they are in another one
  // Unlike libpcp it reads pipes, and it skips a byte order mark. It reads a file once, and no copy
  // of it.
  bool for_pmjit = false;
};

// $PCP_DERIVED_CONFIG and $PCP_DERIVED_CONTROL are read when the facility is first used.
// `strict` evaluates files that say that they are in the strict dialect; null: they are refused.
[[nodiscard]] std::unique_ptr<DerivedMetrics> make_derived_metrics(
    const DeriveOptions& options, std::unique_ptr<StrictFiles> strict = {});

// What PCP's installation and the environment say of derived metrics, beside their definitions.

// What $PCP_INDOM_CONFIG declares (empty: nothing), else $PCP_ETC_DIR/pcp/indom.conf.
[[nodiscard]] EquivalentDomains installed_equivalences();

}  // namespace pmjit
