// Random samples in the notation of cases, and random strict expressions over them; by seed alone.
// Every record has every metric, 10 s after the one before or, of every other seed, 6 to 14 s: near
// enough that no record is a pause and far enough that no two are of one tick, so that rows which
// arrive at due times mean the same. Instances come and go, counters fall, error codes and marks
// are among them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pmjit::tests {

struct RandomRows {
  std::string metrics, samples;          // sections of a case
  std::string times;                     // what stands in the head of `samples`
  std::vector<std::string> expressions;  // most of them compile
};

[[nodiscard]] RandomRows random_rows(uint64_t seed);

}  // namespace pmjit::tests
