// A recording written as an archive; and opened again, in memory.
#pragma once

#include <memory>

#include "runtime/archive/archive.h"
#include "runtime/archive/writer/output.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

[[nodiscard]] Result<void> write_recording(const CaseRecording& recording, Version version,
                                           ArchiveOutput& output);
// Of a recording that has records.
Result<std::unique_ptr<Archive>> archive_of(const CaseRecording& recording, Version version);

}  // namespace pmjit::cases
