// Volumes that are not there, though the archive had them: holes in the numbers of those that are,
// and numbers that only the temporal index names. Such an archive can be read, and what comes out
// looks whole; so its readers are told.
//
//   missing_volumes({0, 2}, read_index(…))  →  "volume 1 is missing: what was recorded from
//                                               2023-11-14T22:13:50Z until 2023-11-14T22:14:20Z …"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/archive/reader/index.h"

namespace pmjit {

// `present`: ascending. A sentence for each run of numbers; the index may be empty.
[[nodiscard]] std::vector<std::string> missing_volumes(std::span<const int32_t> present,
                                                       std::span<const IndexEntry> index);

}  // namespace pmjit
