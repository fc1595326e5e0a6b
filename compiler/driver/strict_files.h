// Strict definitions among the derived metrics of a process (compiler/compat/registry): parsed
// once, bound to a context one by one, evaluated fetch by fetch.
#pragma once

#include <memory>

#include "compiler/compat/registry/derive.h"

namespace pmjit {

[[nodiscard]] std::unique_ptr<StrictFiles> make_strict_files(const DeriveOptions& options);

}  // namespace pmjit
