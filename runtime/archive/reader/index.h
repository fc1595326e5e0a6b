// The temporal index of an archive, entry by entry as it is stored: nothing is checked or sorted,
// as tools that look for damage want to see it. Source: spec archives.md §7.
//
//   for (const IndexEntry& entry : read_index(file, label.version)) …
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/base/bytes.h"

namespace pmjit {

struct IndexEntry {
  Stamp stamp{};  // raw: the seconds may be negative, the fraction may be more than a second
  int32_t volume = 0;
  int64_t meta_offset = 0;  // bytes
  int64_t data_offset = 0;
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

inline constexpr size_t index_entry_bytes(Version version) {
  return version == Version::v2 ? 20 : 32;
}

// `file` is the whole .index file, its label included. An entry that is cut short at the end is
// ignored.
[[nodiscard]] std::vector<IndexEntry> read_index(Bytes file, Version version);

// Volumes that are not there, though the archive had them: holes in the numbers of those that are,
// and numbers that only the temporal index names. Such an archive can be read, and what comes out
// looks whole; so its readers are told.
//
//   missing_volumes({0, 2}, read_index(…))  →  "volume 1 is missing: what was recorded from
//                                               2023-11-14T22:13:50Z until 2023-11-14T22:14:20Z …"

// `present`: ascending. A sentence for each run of numbers; the index may be empty.
[[nodiscard]] std::vector<std::string> missing_volumes(std::span<const int32_t> present,
                                                       std::span<const IndexEntry> index);

}  // namespace pmjit
