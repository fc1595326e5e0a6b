// The cursor of an archive: its records in file order, volume after volume, decoded into columns.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/base/file.h"
#include "runtime/model/source.h"

namespace pmjit {

struct VolumeFile;

// What a cursor needs of its archive, which outlives it.
struct CursorSource {
  const std::string& name;
  const Label& label;
  const std::vector<VolumeFile>& volumes;
};

// The type of a metric's column. Fault::not_found (PM_ERR_PMID_LOG): it is not described;
// Fault::unsupported: it has event records.
[[nodiscard]] Result<Elem> column_elem(PmId pmid, const std::unordered_map<PmId, Desc>& descs,
                                       const std::string& archive);

[[nodiscard]] Result<std::unique_ptr<Cursor>> open_cursor(
    const FetchPlan& plan, CursorSource source, const std::unordered_map<PmId, Desc>& descs,
    Rosters& rosters);

}  // namespace pmjit
