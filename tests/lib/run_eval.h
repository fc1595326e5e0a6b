// The run `eval`: every cell of the matrix (matrix.h) computes the case; all must give the expected
// lines.
#pragma once

#include "runtime/testing/case_file.h"
#include "runtime/testing/case_recording.h"
#include "tests/lib/outcome.h"

namespace pmjit::cases {

// texts["result"] is that of the first cell. With `expected`, every cell that differs from it is a
// fault.
Outcome run_eval(const CaseFile& file, const std::vector<CaseRecording>& recordings,
                 const std::string* expected);

}  // namespace pmjit::cases
