// The records of an archive in file order, volume after volume, in pieces.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/record_piece.h"
#include "runtime/model/recording.h"

namespace pmjit {

struct VolumeFile;

// What is read of an archive, which outlives its reader.
struct RecordFiles {
  const std::string& name;
  const Label& label;
  const std::vector<VolumeFile>& volumes;
};

// The type of a metric's column. Fault::not_found (PM_ERR_PMID_LOG): it is not described;
// Fault::unsupported: it has event records.
[[nodiscard]] Result<Elem> column_elem(PmId pmid, const std::unordered_map<PmId, Desc>& descs,
                                       const std::string& archive);

// Its pieces are RecordPieces. `descs` outlives it.
[[nodiscard]] Result<std::unique_ptr<Pieces>> open_record_pieces(
    const FetchPlan& plan, RecordFiles files, const std::unordered_map<PmId, Desc>& descs);

}  // namespace pmjit
