// FetchCounts: what fetches of connections have brought, for who measures them. One thread at a
// time: that of the network.
//
//   FetchCounts counts;
//   settings.fetch_counts = &counts;      // ClientSettings; it outlives the connections
//   std::exchange(counts, {})             // since the last time
#pragma once

#include <cstdint>

#include "runtime/base/bytes.h"
#include "runtime/base/time_counts.h"

namespace pmjit {

struct FetchCounts {
  uint64_t answered = 0;
  uint64_t late = 0;    // no answer within the time for requests
  uint64_t failed = 0;  // the connection was lost, or what came was none
  uint64_t bytes = 0, values = 0;
  TimeCounts seconds{};  // from the request to its answer

  // How many values a RESULT has, or a HIGHRES_RESULT; those of one that is damaged up to there.
  [[nodiscard]] static uint64_t values_of(Bytes pdu, bool highres);
};

}  // namespace pmjit
