// Expressions over several hosts: compiled once per host, with its own metadata, and merged to one
// program.
//
//   const HostsCatalog catalog(…);
//   Compilation c = compile_hosts(input, catalog, options);
//
// A root per expression and host (ResultInfo::host); one alone where all hosts are reduced. A host
// that lacks a metric has no root of the expressions that name it, and a note says so. A metric
// that no host has is a mistake.
#pragma once

#include <functional>

#include "compiler/driver/driver.h"
#include "runtime/model/hosts.h"

namespace pmjit {

[[nodiscard]] Compilation compile_hosts(const CompileInput& input, const HostsCatalog& catalog,
                                        const CompileOptions& options);

}  // namespace pmjit
