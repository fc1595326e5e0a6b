#include "rules/cmd/host_warnings.h"

#include <fmt/core.h>

#include "runtime/client/host_fetcher.h"

namespace pmjit {

std::string missed_warning(const std::string& name, const HostTally& tally) {
  if (tally.missed == 0) return {};
  return fmt::format("warning: {} did not answer at {} of {} {}", name, tally.missed, tally.times,
                     tally.times == 1 ? "time" : "times");
}

std::string skipped_warning(uint64_t skipped) {
  if (skipped == 0) return {};
  return fmt::format(
      "warning: {} {} skipped: evaluation did not keep up, and needs a longer interval (-t)",
      skipped, skipped == 1 ? "time was" : "times were");
}

}  // namespace pmjit
