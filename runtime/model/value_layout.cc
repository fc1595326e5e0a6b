#include "runtime/model/value_layout.h"

#include <algorithm>

#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr uint32_t kBlockHeaderBytes = 4, kPairBytes = 8;

// Indices that are too small give offsets far beyond any record.
uint64_t offset_of_index(const RecordHead& head, uint32_t index) {
  return (uint64_t{index} - head.words_before) * 4;
}

OrDamage<Spot> spot_at(const RecordHead& head, uint64_t offset, uint32_t first_possible) {
  const uint32_t end = head.body_end;
  if (offset < first_possible || offset > end - kBlockHeaderBytes) {
    return damaged("block index points out of the record", 0);
  }
  const auto at = static_cast<uint32_t>(offset);
  const uint32_t header = load_be<uint32_t>(head.bytes.data() + at);
  if (block_length(header) < kBlockHeaderBytes || padded_length(header) > end - at) {
    return damaged("value block does not fit the record", at);
  }
  return Spot{.offset = at, .header = header};
}

// The header of the block at `at`; 0: none fits there.
uint32_t header_at(const RecordHead& head, uint32_t at) {
  const uint32_t room = head.body_end - at;
  if (room < kBlockHeaderBytes) return 0;
  const uint32_t header = load_be<uint32_t>(head.bytes.data() + at);
  return block_length(header) < kBlockHeaderBytes || padded_length(header) > room ? 0 : header;
}

// The blocks of one set start at `next`, are all alike and follow each other.
bool place_alike(const RecordHead& head, uint32_t next, ValueSet& set) {
  const auto count = static_cast<uint32_t>(set.count);
  const std::byte* pairs = head.bytes.data() + set.pairs;
  const uint32_t header = header_at(head, next), step = padded_length(header);
  if (header == 0) return false;
  if (count == 1) {  // singular metrics: no loops
    if (load_be<uint32_t>(pairs + 4) != next / 4 + head.words_before) return false;
  } else if (uint64_t{step} * count > head.body_end - next ||
             !bulk::indices_follow(pairs, count, next / 4 + head.words_before, step / 4) ||
             !bulk::headers_equal(head.bytes.data() + next, count, step)) {
    return false;
  }
  set.first = next, set.header = header;
  return true;
}

// Blocks in the order of their values, as every writer puts them. False: they are not, or are
// damaged.
bool place_in_order(const RecordHead& head, RecordLayout& layout) {
  const std::byte* bytes = head.bytes.data();
  uint32_t next = layout.sets_end;
  for (ValueSet& set : layout.sets) {
    if (set.count <= 0 || set.in_place) continue;
    const auto count = static_cast<uint32_t>(set.count);
    if (place_alike(head, next, set)) {
      next += padded_length(set.header) * count;
      continue;
    }
    set.first = static_cast<uint32_t>(layout.spots.size()), set.header = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t index = load_be<uint32_t>(bytes + set.pairs + i * kPairBytes + 4);
      const auto spot = spot_at(head, offset_of_index(head, index), layout.sets_end);
      if (!spot || spot->offset != next) return false;
      layout.spots.push_back(*spot);
      next += padded_length(spot->header);
    }
  }
  return next == head.body_end;
}

// Blocks in any order, by their indices alone; then proves that they tile the rest of the record.
OrDamage<void> place_by_index(const RecordHead& head, RecordLayout& layout) {
  layout.spots.clear();
  for (ValueSet& set : layout.sets) {
    if (set.count <= 0 || set.in_place) continue;
    set.first = static_cast<uint32_t>(layout.spots.size()), set.header = 0;
    for (uint32_t i = 0; i < static_cast<uint32_t>(set.count); ++i) {
      const auto* pair = head.bytes.data() + set.pairs + i * kPairBytes;
      const uint64_t offset = offset_of_index(head, load_be<uint32_t>(pair + 4));
      const auto spot = spot_at(head, offset, layout.sets_end);
      if (!spot) return damaged(spot.error().what, set.pairs + i * kPairBytes);
      layout.spots.push_back(*spot);
    }
  }
  std::vector<Spot> sorted = layout.spots;
  std::ranges::sort(sorted, {}, &Spot::offset);
  uint32_t next = layout.sets_end;
  for (const Spot& spot : sorted) {
    if (spot.offset != next) return damaged("value blocks overlap or leave a gap", next);
    next += padded_length(spot.header);
  }
  if (next != head.body_end) return damaged("bytes that belong to no value", next);
  return {};
}

}  // namespace

OrDamage<void> read_value_sets(const RecordHead& head, RecordLayout& layout) {
  const std::byte* bytes = head.bytes.data();
  const uint32_t end = head.body_end;
  auto at = head.sets_at;
  if (head.sets > (end - at) / kPairBytes) return damaged("value sets are cut short", at);
  layout.sets.resize(head.sets);
  for (ValueSet& set : layout.sets) {
    if (end - at < 8) return damaged("value set is cut short", at);
    // Nothing stays of the record before, whose layout this was.
    set = {.pmid = load_be<uint32_t>(bytes + at),
           .count = static_cast<int32_t>(load_be<uint32_t>(bytes + at + 4))};
    at += 8;
    if (set.count > 0) {
      if (end - at < 4 || static_cast<uint32_t>(set.count) > (end - at - 4) / kPairBytes) {
        return damaged("value set has an impossible number of values", at - 4);
      }
      const uint32_t format = load_be<uint32_t>(bytes + at);
      if (format > 2) return damaged("value set has an unknown format", at);
      set.in_place = format == 0;
      set.pairs = at + 4;
      at += 4 + static_cast<uint32_t>(set.count) * kPairBytes;
    }
  }
  layout.sets_end = at;
  return {};
}

OrDamage<void> place_blocks(const RecordHead& head, RecordLayout& layout) {
  layout.spots.clear();
  if (place_in_order(head, layout)) return {};
  return place_by_index(head, layout);
}

}  // namespace pmjit
