// What a look-up in metadata yields: the thing, or the PM_ERR number that the PMAPI has for its
// absence. No place and no text: those who print know what was asked for.
#pragma once

#include <expected>

#include "runtime/model/pm_error.h"

namespace pmjit {

template <class T>
using OrPmCode = std::expected<T, pm_err::PmErrorCode>;

}  // namespace pmjit
