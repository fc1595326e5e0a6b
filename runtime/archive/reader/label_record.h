// One LABEL record (metric labels) of the metadata file. Source: spec archives.md §6.4.
#pragma once

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/archive/reader/labels.h"
#include "runtime/base/bytes.h"

namespace pmjit {

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<void> read_label_record(Bytes payload, Version version, ArchiveLabels& out);

}  // namespace pmjit
