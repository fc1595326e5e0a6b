// IsoClock: iso_utc() for many stamps: what does not change from one stamp to the next is kept.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/model/stamp.h"

namespace pmjit {

class IsoClock {
 public:
  // Valid until the next call.
  std::string_view text(Stamp s);

 private:
  static constexpr int64_t kNoMinute = INT64_MIN;
  int64_t minute_ = kNoMinute;  // of the text at hand, since the epoch
  size_t seconds_at_ = 0;       // where "SS" stands
  char text_[64] = {};
};

}  // namespace pmjit
