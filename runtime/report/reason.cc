#include "runtime/report/reason.h"

#include "runtime/model/pm_error.h"
#include "runtime/model/results.h"

namespace pmjit {

std::string reason_text(int32_t status) {
  switch (status) {
    case kNotYetLogged: return "not yet logged";
    case kStale: return "the latest observation is too old";
    case kGap: return "a gap in the recording";
    case kFirstSample: return "first sample: nothing to compare with";
    case kNoValue: return "no value";
    default: return status < 0 ? pm_error_text(status) : "unknown";
  }
}

}  // namespace pmjit
