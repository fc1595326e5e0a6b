// Metadata: everything a .meta file says, checked as a whole when the archive is opened: a metadata
// record that cannot be right refuses the archive (spec archives.md §6, §9). Labels and help texts
// are checked and not kept.
//
// Names of instances are views into the file: it must outlive this.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct Metadata {
  std::map<std::string, PmId, std::less<>> names;
  std::unordered_map<PmId, Desc> descs;
  std::unordered_map<InDomId, Domain> domains;
};

// `file` is the whole .meta file, its label included (and already checked).
[[nodiscard]] OrDamage<Metadata> read_metadata(Bytes file, Version version);

}  // namespace pmjit
