// What a binary format cannot be asked for.
#pragma once

#include "runtime/base/result.h"
#include "runtime/report/writer.h"

namespace pmjit {

// An error where the format is binary and standard output a terminal, or digits (-f) are given.
[[nodiscard]] Result<void> check_output(const Format& format, bool has_digits);

}  // namespace pmjit
