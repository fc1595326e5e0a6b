#include "runtime/report/reason.h"

#include "runtime/model/pm_codes.h"
#include "runtime/model/results.h"

namespace pmjit {

std::string reason_text(int32_t status) {
  switch (status) {
    case kNotYetLogged: return "not yet logged";
    case kStale: return "the latest observation is too old";
    case kGap: return "a gap in the recording";
    case kFirstSample: return "first sample: nothing to compare with";
    case kNoValue: return "no value";
    case kReset: return "the counter was reset";
    case kNoTime: return "no time passed since the sample before";
    case kOverflow: return "the number is too large for its type";
    case kNotANumber: return "NaN stands in no relation to anything";
    case kNobody: return "no instance is there";
    case kSeveral: return "several instances are there";
    case kNoName: return "the instance has no name";
    case kHostDown: return "the host is down, or its recording has ended";
    default: return status < 0 ? pm_error_text(status) : "unknown";
  }
}

}  // namespace pmjit
