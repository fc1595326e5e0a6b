// A recording written as an archive; and opened again, in memory.
#pragma once

#include <memory>

#include "runtime/archive/archive.h"
#include "runtime/archive/writer/output.h"
#include "runtime/testing/recording.h"

namespace pmjit::cases {

[[nodiscard]] Result<void> write_archive(const Recording& recording, Version version,
                                         ArchiveOutput& output);
// Of a recording that has records.
Result<std::unique_ptr<Archive>> archive_of(const Recording& recording, Version version);

}  // namespace pmjit::cases
