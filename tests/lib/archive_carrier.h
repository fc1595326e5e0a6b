// The samples of a case written as an archive and opened again, in memory: writer and reader stand
// between the case and its result.
#pragma once

#include <memory>

#include "runtime/archive/archive.h"
#include "tests/lib/recording.h"

namespace pmjit::cases {

Result<std::unique_ptr<Archive>> archive_of(const Recording& recording, Version version);
// Read by two threads, a record at a time.
std::shared_ptr<const Source> by_two_threads(std::shared_ptr<const Source> archive);
// Seen from 0 s on at every `step`, as by `eval -t`.
Result<std::shared_ptr<const Source>> on_grid(std::unique_ptr<Archive> archive, Nanos step);

}  // namespace pmjit::cases
