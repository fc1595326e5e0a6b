// FetchedValues: value sets of a record as a fetch delivers them: every type, numbers and event
// arrays in host byte order. Blocks live in the arena of whoever fetches, until its next fetch.
// Source: spec archives.md §5, pmapi.md §3.3.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// Bytes that stay where they are until clear().
class Arena {
 public:
  // Eight-byte aligned room for `bytes`; not initialised.
  [[nodiscard]] std::byte* take(size_t bytes);
  void clear();

 private:
  struct Chunk {
    std::unique_ptr<uint64_t[]> words;
    size_t capacity;  // bytes
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0, used_ = 0;
};

// A value block becomes what the PMAPI has: numbers and event arrays of big-endian bytes become the
// host's, texts and aggregates stay as they are.
void to_host(uint8_t type, std::span<std::byte> block);
void to_network(uint8_t type, std::span<std::byte> block);  // the way back
// The same for a copy, in room of the arena.
[[nodiscard]] Bytes block_to_host(uint8_t type, Bytes stored, Arena& arena);

// The block that value `i` of the set refers to. The record has been checked.
struct StoredBlock {
  uint8_t type = 0;
  Bytes data;  // without header and padding
};
[[nodiscard]] inline StoredBlock stored_block(const RecordHead& head, const RecordLayout& layout,
                                              const ValueSet& set, uint32_t i) {
  uint32_t offset = 0, header = set.header;
  if (header != 0) {
    offset = set.first + i * padded_length(header);
  } else {
    const Spot& spot = layout.spots[set.first + i];
    offset = spot.offset;
    header = spot.header;
  }
  // The headers of blocks that are alike have been compared, type and all.
  return {static_cast<uint8_t>(block_type(header)),
          head.bytes.subspan(offset + 4, block_length(header) - 4)};
}

// Numbers of these types have 8 bytes.
[[nodiscard]] inline bool is_of_8(uint32_t type) {
  return type == pm_type::i64 || type == pm_type::u64 || type == pm_type::f64;
}
// The bits of a number, in the machine's order; those of one of 4 bytes are the lower ones.
[[nodiscard]] uint64_t number_in(const StoredBlock& block);

// Replaces `out` by the value set; `keep(instance)` says which values.
template <class Keep>
void take_set(const RecordHead& head, const RecordLayout& layout, const ValueSet& set, Arena& arena,
              FetchedSet& out, Keep&& keep) {
  out.pmid = set.pmid;
  out.count = set.count;
  if (set.count <= 0) return out.values.clear();
  out.format = set.in_place ? ValueFormat::in_place : ValueFormat::block;
  const auto count = static_cast<uint32_t>(set.count);
  // Sets mostly have as many values as the time before: these are written over.
  out.values.resize(count);
  Value* to = out.values.data();
  const std::byte* pair = head.bytes.data() + set.pairs;
  for (uint32_t i = 0; i < count; ++i, pair += 8) {
    const auto instance = static_cast<int32_t>(load_be<uint32_t>(pair));
    if (!keep(instance)) continue;
    // Field by field: a value that is made first and then copied costs five times as much.
    Value& value = *to++;
    value.instance = instance;
    if (set.in_place) {
      value.word = load_be<uint32_t>(pair + 4);
      value.type = 0;
      value.block = {};
    } else {
      const StoredBlock block = stored_block(head, layout, set, i);
      value.word = 0;
      value.type = block.type;
      value.block = block_to_host(block.type, block.data, arena);
    }
  }
  out.values.resize(static_cast<size_t>(to - out.values.data()));
  out.count = static_cast<int32_t>(out.values.size());
}

// Between value sets, as a fetch delivers them, and rows of a column, as evaluation has them.

// Appends `row` with the values of `set`; `row` says when. A value that is not of the metric's type
// is not valid. `last`: the roster of the values before, which is looked at first; then of these.
void append_set(const FetchedSet& set, const Desc& desc, Row row, RosterId& last, Rosters& rosters,
                Column& column);

// How values of a metric are delivered: numbers of 32 bits in place.
ValueFormat format_of(const Desc& desc);

// Replaces the numbers of a set by values, for callers that cannot read numbers. The arena holds
// the blocks of these values.
void spread(int pm_type, Arena& arena, FetchedSet& set);

// What is known of a row as a fetch would bring it: `instances`, and which value behind `offset`
// each has (below 0: none). Blocks of `out` are in `column`, and live as long.
void take_known(const Column& column, uint64_t offset, std::span<const int32_t> instances,
                std::span<const int32_t> lanes, const Desc& desc, FetchedSet& out);

}  // namespace pmjit
