// Which volumes of an archive have records, and where one between two others is not there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/volume.h"

namespace pmjit {

// An empty file is what a writer leaves that died while it changed volumes, unless the index knows
// of records there.
[[nodiscard]] inline bool is_emptied(const VolumeFile& volume, std::span<const IndexEntry> index) {
  return volume.bytes == 0 && !volume.file &&
         std::ranges::find(index, volume.number, &IndexEntry::volume) != index.end();
}

// Numbers of the volumes that are there, ascending; without empty ones that had records.
[[nodiscard]] inline std::vector<int32_t> volumes_present(const std::vector<VolumeFile>& volumes,
                                                          std::span<const IndexEntry> index) {
  std::vector<int32_t> out;
  for (const VolumeFile& volume : volumes) {
    if (!is_emptied(volume, index)) out.push_back(volume.number);
  }
  return out;
}

// One lies between two that were entered one after the other, by their places in the list: it is
// missing, or empty. One that has a label and no record is entered, too: nothing was lost.
[[nodiscard]] inline bool skips_volume(const std::vector<VolumeFile>& volumes, size_t before,
                                       size_t behind) {
  return int64_t{volumes[behind].number} - volumes[before].number > 1;
}

}  // namespace pmjit
