#include "runtime/model/stored_values.h"

#include <cstring>

#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr uint32_t kHeaderBytes = 4;

// Writers before 1997 left the type of a block 0.
constexpr uint32_t kUntyped = 0;

Spot spot_of(const RecordLayout& layout, const ValueSet& set, uint32_t i) {
  if (set.header == 0) return layout.spots[set.first + i];
  return {.offset = set.first + i * padded_length(set.header), .header = set.header};
}

bool has_type(Elem elem, uint32_t type) {
  const auto typed = elem_from_pm(static_cast<int>(type));
  if (type == kUntyped || typed == elem) return true;
  return (elem == Elem::i64 || elem == Elem::u64) && (typed == Elem::i64 || typed == Elem::u64);
}

bool header_fits(Elem elem, uint32_t header) {
  if (!is_number(elem)) return true;
  return block_length(header) == kHeaderBytes + elem_bytes(elem) &&
         has_type(elem, block_type(header));
}

uint32_t swapped(uint32_t value) { return __builtin_bswap32(value); }
uint64_t swapped(uint64_t value) { return __builtin_bswap64(value); }

void append_texts(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                  Column& column) {
  const auto count = static_cast<uint32_t>(set.count);
  const uint64_t first = column.grow(count);
  auto* out = column.values.as<uint32_t>() + first;
  for (uint32_t i = 0; i < count; ++i) {
    const Spot spot = spot_of(layout, set, i);
    const auto* text =
        reinterpret_cast<const char*>(head.bytes.data() + spot.offset + kHeaderBytes);
    const size_t bytes = block_length(spot.header) - kHeaderBytes;
    const size_t used = column.elem == Elem::text ? strnlen(text, bytes) : bytes;
    out[i] = column.dictionary.add({text, used});
  }
}

template <class Word>
void append_numbers(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                    Column& column) {
  const auto count = static_cast<uint32_t>(set.count);
  const uint64_t first = column.grow(count);
  Word* out = column.values.as<Word>() + first;
  if (count == 1 && set.header != 0 && block_type(set.header) != kUntyped) {
    *out = load_be<Word>(head.bytes.data() + set.first + kHeaderBytes);
    return;
  }
  if (set.header != 0) {
    const std::byte* blocks = head.bytes.data() + set.first;
    if constexpr (sizeof(Word) == 8)
      bulk::values_of_8(blocks, count, out);
    else
      bulk::values_of_4(blocks, count, out);
    if (block_type(set.header) != kUntyped) return;
  }
  // The reference swaps the bytes of a block by the block's type: untyped ones are little-endian to
  // it, whatever their writer meant, and its answer is the one to be compatible with (README.md,
  // Why).
  for (uint32_t i = 0; i < count; ++i) {
    const Spot spot = spot_of(layout, set, i);
    out[i] = load_be<Word>(head.bytes.data() + spot.offset + kHeaderBytes);
    if (block_type(spot.header) == kUntyped) out[i] = swapped(out[i]);
  }
}

}  // namespace

OrDamage<void> check_values(const RecordLayout& layout, const ValueSet& set, Elem elem) {
  if (set.count <= 0) return {};
  if (set.in_place) {
    if (is_number(elem) && elem_bytes(elem) == 4) return {};
    return damaged("values stand in place, but the metric's type needs blocks", set.pairs);
  }
  if (elem == Elem::i32 || elem == Elem::u32) {
    return damaged("values stand in blocks, but the metric's type is 32 bits", set.pairs);
  }
  for (uint32_t i = 0; i < static_cast<uint32_t>(set.count); ++i) {
    const Spot spot = spot_of(layout, set, i);
    if (!header_fits(elem, spot.header)) {
      return damaged("value block has another type or length than its metric", spot.offset);
    }
    if (set.header != 0) break;
  }
  return {};
}

void append_values(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                   Column& column) {
  if (!is_number(column.elem)) return append_texts(head, layout, set, column);
  if (elem_bytes(column.elem) == 8) return append_numbers<uint64_t>(head, layout, set, column);
  if (!set.in_place) return append_numbers<uint32_t>(head, layout, set, column);
  const auto count = static_cast<uint32_t>(set.count);
  const uint64_t first = column.grow(count);
  bulk::values_in_pairs(head.bytes.data() + set.pairs, count, column.values.as<uint32_t>() + first);
}

}  // namespace pmjit
