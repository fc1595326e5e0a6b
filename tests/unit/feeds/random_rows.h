// Random samples in the notation of cases, and random strict expressions over them; by seed alone.
// Every record has every metric, 10 s after the one before, so that rows which arrive at due times
// mean the same. Instances come and go, counters fall, error codes and marks are among them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pmjit::tests {

struct RandomRows {
  std::string metrics, samples;          // sections of a case
  std::vector<std::string> expressions;  // most of them compile
};

[[nodiscard]] RandomRows random_rows(uint64_t seed);

}  // namespace pmjit::tests
