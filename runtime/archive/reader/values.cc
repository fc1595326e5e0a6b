#include "runtime/archive/reader/values.h"

#include <cstring>

#include "runtime/archive/reader/bulk.h"

namespace pmjit {

namespace {

constexpr uint32_t kHeaderBytes = 4;

bool has_length(Elem elem, uint32_t length) {
  return !is_number(elem) || length == kHeaderBytes + elem_bytes(elem);
}

Spot spot_of(const RecordLayout& layout, const ValueSet& set, uint32_t i) {
  if (set.length == 0) return layout.spots[set.first + i];
  return {.offset = set.first + i * padded_length(set.length), .length = set.length};
}

void append_texts(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                  Column& column) {
  const auto count = static_cast<uint32_t>(set.count);
  const uint64_t first = column.grow(count);
  auto* out = column.values.as<uint32_t>() + first;
  for (uint32_t i = 0; i < count; ++i) {
    const Spot spot = spot_of(layout, set, i);
    const auto* text = reinterpret_cast<const char*>(head.bytes.data() + spot.offset + kHeaderBytes);
    const size_t bytes = spot.length - kHeaderBytes;
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
  if (set.length == 0) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t offset = layout.spots[set.first + i].offset;
      out[i] = load_be<Word>(head.bytes.data() + offset + kHeaderBytes);
    }
  } else if constexpr (sizeof(Word) == 8) {
    bulk::values_of_8(head.bytes.data() + set.first, count, out);
  } else {
    bulk::values_of_4(head.bytes.data() + set.first, count, out);
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
    if (!has_length(elem, spot.length)) {
      return damaged("value block does not have the length of the metric's type", spot.offset);
    }
    if (set.length != 0) break;
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
