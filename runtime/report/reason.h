// Why a result is unknown, in words: our own reasons, and the PM_ERR_* of a value set as pmErrStr
// has them.
#pragma once

#include <cstdint>
#include <string>

namespace pmjit {

std::string reason_text(int32_t status);

}  // namespace pmjit
