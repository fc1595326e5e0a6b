// One record of a data volume: where it ends, when it was, and where its value sets are
// (runtime/model/value_layout.h reads those). Source: spec archives.md §4.
//
//   length  stamp  count  value sets  blocks  length
#pragma once

#include "runtime/archive/format/label.h"
#include "runtime/base/bytes.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// The record at the start of `rest`, which ends with the volume.
[[nodiscard]] OrDamage<RecordHead> read_record_head(Bytes rest, Version version);

}  // namespace pmjit
