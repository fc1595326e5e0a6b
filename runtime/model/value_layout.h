// Value sets as bytes: what a record of an archive and a RESULT PDU have in common. Which metrics
// it holds, and where the blocks of their values are. Nothing here knows metrics; everything here
// is checked (spec archives.md §5, wire-protocol.md §6).
//
//   { pmid numval [valfmt {inst, value or block index} …] } …  blocks
//
// All offsets count from the first byte of what holds them: a record's length word, a PDU's header.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// Damage: bytes that are not what they should be. Readers of single records know the offset and the
// cause and nothing of files or hosts; the caller that opened them makes the Error, once.
struct Damage {
  std::string_view what;  // a literal
  uint64_t offset = 0;    // in the record, until its reader adds the record's own
  int pm_code = pm_err::E_LOGREC;
};

template <class T>
using OrDamage = std::expected<T, Damage>;

inline std::unexpected<Damage> damaged(std::string_view what, uint64_t offset) {
  return std::unexpected<Damage>(Damage{.what = what, .offset = offset});
}

struct RecordHead {
  Bytes bytes;  // all of it, with what stands around the value sets and blocks
  Stamp stamp;
  uint32_t sets = 0;      // 0: a mark
  uint32_t sets_at = 0;   // where the value sets begin
  uint32_t body_end = 0;  // behind the last block
  // Blocks are referred to by their place in words, counted from so many words before the first
  // byte: 2 in an archive, 0 in a PDU.
  uint32_t words_before = 0;
};

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
[[nodiscard]] OrDamage<void> read_value_sets(const RecordHead& head, RecordLayout& layout);
[[nodiscard]] OrDamage<void> place_blocks(const RecordHead& head, RecordLayout& layout);

}  // namespace pmjit
