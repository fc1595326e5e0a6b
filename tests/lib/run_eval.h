// The run `eval`: every cell of the matrix (matrix.h) computes the case; all must give the expected
// lines.
#pragma once

#include "tests/lib/case_file.h"
#include "tests/lib/outcome.h"
#include "tests/lib/recording.h"

namespace pmjit::cases {

// texts["result"] is that of the first cell. With `expected`, every cell that differs from it is a
// fault.
Outcome run_eval(const CaseFile& file, const Recording& recording, const std::string* expected);

}  // namespace pmjit::cases
