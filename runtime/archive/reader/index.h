// The temporal index of an archive, entry by entry as it is stored: nothing is checked or sorted,
// as tools that look for damage want to see it. Source: spec archives.md §7.
//
//   for (const IndexEntry& entry : read_index(file, label.version)) …
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/archive/format/stamp_io.h"
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

}  // namespace pmjit
