// The error numbers of the PMAPI as texts. The closed set stands in pm_errors.def.
#pragma once

#include <string>

namespace pmjit {

// As pmErrStr has it: errno values (negative, above the PMAPI's range) are the C library's texts.
std::string pm_error_text(int code);

}  // namespace pmjit
