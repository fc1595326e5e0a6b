// Ways to read the archive of a case (runtime/testing/case_recording.h).
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/archive/archive.h"
#include "runtime/model/stamp.h"

namespace pmjit::cases {

// Read by two threads, a record at a time.
std::shared_ptr<const Recording> by_two_threads(std::shared_ptr<const Recording> archive);
enum class GridReading : uint8_t { by_itself, by_two_threads };
// Seen from 0 s on at every `step`, as by `eval -t`.
Result<std::shared_ptr<const Recording>> on_grid(std::unique_ptr<Archive> archive, Nanos step,
                                                 GridReading reading);

}  // namespace pmjit::cases
