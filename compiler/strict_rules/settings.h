// A setting (compiler/compat/pmie/settings.h) in the place of a macro of the strict dialect: of its
// kind, and a number keeps the units that it is written in.
#pragma once

#include <string>

#include "compiler/strict_rules/macros.h"
#include "runtime/base/result.h"

namespace pmjit::strict {

// What `value` is in the place of the macro. A failure: it is of another kind or dimension, no
// constant, or something that pmie and C would read otherwise.
[[nodiscard]] Result<StrictMacro> set_macro(const std::string& name, const std::string& value,
                                            const StrictMacro& macro);

}  // namespace pmjit::strict
