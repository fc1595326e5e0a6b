// The check of one LABEL record (metric labels) of the metadata file; nothing is kept.
// Source: spec archives.md §6.4.
#pragma once

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/bytes.h"

namespace pmjit {

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<void> check_label_record(Bytes payload, Version version);

}  // namespace pmjit
