// One INDOM or INDOM_DELTA record of the metadata file. Source: spec archives.md §6.2, §6.3.
#pragma once

#include <vector>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/base/bytes.h"

namespace pmjit {

struct IndomRecord {
  Stamp stamp{};
  InDomId indom = kNullId;
  uint32_t count = 0;
  bool delta = false;
  Bytes lists{};        // instances, string offsets, strings
  uint64_t offset = 0;  // of the record in the file
};

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<IndomRecord> read_indom_record(Bytes payload, Version version, bool delta);

// The instances of a record as they are stored. False: a bad one.
[[nodiscard]] bool list_stored(const IndomRecord& record, std::vector<NamedInstance>& out);

// The instances of a record in ascending order, each id once (of repeated ones the first name).
// False: a bad one.
[[nodiscard]] bool list_instances(const IndomRecord& record, std::vector<NamedInstance>& out);

}  // namespace pmjit
