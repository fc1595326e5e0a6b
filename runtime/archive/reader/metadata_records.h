// One INDOM or INDOM_DELTA record of the metadata file. Source: spec archives.md §6.2, §6.3.
#pragma once

#include <span>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/archive/reader/labels.h"
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

// One LABEL record (metric labels) of the metadata file. Source: spec archives.md §6.4.

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<void> read_label_record(Bytes payload, Version version, ArchiveLabels& out);

// From INDOM records to the sets of their domains. Source: spec archives.md §6.2, §6.3.

// The records of one domain in the order of the file, none of them empty. The damage says at which
// record.
[[nodiscard]] OrDamage<Domain> build_domain(std::vector<const IndomRecord*> records);

}  // namespace pmjit
