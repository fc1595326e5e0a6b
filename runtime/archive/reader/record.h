// One record of a data volume: where it ends, when it was, which value sets it holds, and where the
// blocks of their values are. Nothing here knows metrics; everything here is checked (spec
// archives.md §4, §5).
//
//   length  stamp  count  { pmid numval [valfmt {inst, value or block index} …] } …  blocks  length
//
// All offsets count from the record's first byte (its length word).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct RecordHead {
  Bytes bytes;  // the whole record, both length words included
  Stamp stamp;
  uint32_t sets = 0;  // 0: a mark

  [[nodiscard]] uint32_t body_end() const { return static_cast<uint32_t>(bytes.size() - 4); }
};

// The record at the start of `rest`, which ends with the volume.
[[nodiscard]] OrDamage<RecordHead> read_record_head(Bytes rest, Version version);

// The header word of a value block: its type, and its length with this word and without padding.
inline constexpr uint32_t block_length(uint32_t header) { return header & 0xffffff; }
inline constexpr uint32_t padded_length(uint32_t header) {
  return (block_length(header) + 3) & ~3u;
}
inline constexpr uint32_t block_type(uint32_t header) { return header >> 24; }

inline constexpr uint32_t block_header(uint32_t type, size_t bytes) {
  return type << 24 | static_cast<uint32_t>(4 + bytes);
}

struct Spot {  // one value block
  uint32_t offset = 0, header = 0;
};

struct ValueSet {
  PmId pmid = kNullId;
  int32_t count = 0;      // numval: 0 no values, negative an error code
  bool in_place = false;  // INSITU: the pairs hold the values themselves
  uint32_t pairs = 0;     // offset of {instance, value or block index} × count
  // Blocks that are all alike follow each other: offset of the first and the header of each.
  // Otherwise header is 0 and the blocks are spots[first] … of the record.
  uint32_t first = 0, header = 0;
};

struct RecordLayout {
  std::vector<ValueSet> sets;
  std::vector<Spot> spots;
  uint32_t sets_end = 0;
};

// First half: the value sets. Second half: the blocks of all of them, which must fill the rest of
// the record without gap, overlap or sharing.
[[nodiscard]] OrDamage<void> read_value_sets(const RecordHead& head, Version version,
                                             RecordLayout& layout);
[[nodiscard]] OrDamage<void> place_blocks(const RecordHead& head, RecordLayout& layout);

}  // namespace pmjit
