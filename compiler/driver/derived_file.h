// A definition file in a compatible dialect: its metrics bound to a catalog, ready to be operands.
// Private to compiler/driver.
#pragma once

#include <string>
#include <vector>

#include "compiler/ast/dialect.h"
#include "compiler/diag/source.h"
#include "compiler/sema/sema.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct DerivedFile {
  std::vector<CompatibleMetric> metrics;
  std::vector<std::string>
      messages;  // libpcp's: of lines that were skipped, metrics that are not usable
};
[[nodiscard]] DerivedFile read_derived_file(const SourceText& file, Dialect dialect,
                                            const Catalog& catalog);

}  // namespace pmjit
