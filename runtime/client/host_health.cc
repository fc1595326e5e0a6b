#include "runtime/client/host_health.h"

#include "runtime/model/results.h"

namespace pmjit {

void HostHealth::end_time(Stamp due, bool answered, const std::optional<Error>& why,
                          const std::string& host) {
  if (due > counted_) {
    counted_ = due;
    ++tally_.times;
    if (!answered) ++tally_.missed;
  }
  ended_ = due;
  late_ = !answered && !why;
  if (answered) {
    why_down_.reset();
  } else if (why) {
    why_down_ = why;
  } else {
    why_down_ = Error(Fault::io, "no answer before the next time was due")
                    .at("host", host)
                    .pm_code(kHostDown);
  }
}

}  // namespace pmjit
