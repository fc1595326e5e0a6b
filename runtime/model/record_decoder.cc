#include "runtime/model/record_decoder.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/limits.h"
#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

// In values: there may be few records that are smaller.
constexpr uint64_t kLargeRecord = 1024;
// Of a record with a value of each metric; and at most so many times the usual size.
constexpr uint64_t kRecordsWanted = 64, kTimesUsualMax = 4;

// Templates of records that are kept, and records that are walked at most before one is learnt.
constexpr size_t kShapesMax = 16;
constexpr uint32_t kPauseMax = 256;

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

// In a block of `all` values, where each has so many.
uint64_t records_expected(uint64_t all, uint64_t values) {
  return all / std::max(values, kLargeRecord) + 1;
}

uint32_t swapped(uint32_t value) { return __builtin_bswap32(value); }
uint64_t swapped(uint64_t value) { return __builtin_bswap64(value); }

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

void Decoder::add_metric(const Desc& desc, Elem elem) {
  columns_[desc.pmid] = static_cast<uint32_t>(asked_.size());
  Asked asked{.elem = elem, .pmid = desc.pmid, .indom = desc.indom};
  if (is_number(elem) && elem != Elem::i32 && elem != Elem::u32) {
    asked.usual_header = block_header(static_cast<uint32_t>(desc.pm_type), elem_bytes(elem));
  }
  asked_.push_back(asked);
}

void Decoder::prepare(Block& block) {
  values_ = 0;
  block.columns.resize(asked_.size());
  block.clear();
  lists_.start(block);
  for (size_t i = 0; i < asked_.size(); ++i) block.columns[i].elem = asked_[i].elem;
}

OrDamage<size_t> Decoder::decode(std::span<const RecordHead> heads, Block& block,
                                 uint64_t size_max) {
  if (const size_t alike = append_alike(heads, block, size_max)) return alike;
  if (auto walked = walk(heads.front(), block); !walked) return std::unexpected(walked.error());
  return 1;
}

OrDamage<void> Decoder::walk(const RecordHead& head, Block& block) {
  ++record_number_;
  if (auto sets = read_value_sets(head, layout_); !sets) {
    return std::unexpected(sets.error());
  }
  pick_sets();
  if (picks_.empty() && !checks_others_) return {};
  if (auto placed = place_blocks(head, layout_); !placed) return std::unexpected(placed.error());
  if (picks_.empty()) return {};
  for (Pick& pick : picks_) {
    const ValueSet& set = layout_.sets[pick.set];
    const Asked& asked = asked_[pick.column];
    if (set.header != 0 && set.header == asked.usual_header) continue;
    auto fits = check_values(layout_, set, asked.elem);
    if (fits) continue;
    if (misfits_ == Misfits::are_damage) return std::unexpected(fits.error());
    pick.status = pm_err::E_TYPE;
  }
  const bool first = block.records.empty();
  block.records.push_back({.stamp = head.stamp});
  if (first) make_room(block);
  append_rows(head, block);
  learn(head, block);
  return {};
}

// Records like one that was walked.
size_t Decoder::append_alike(std::span<const RecordHead> heads, Block& block, uint64_t size_max) {
  for (RecordTemplate& shape : shapes_) {
    if (shape.length() != heads.front().bytes.size()) continue;
    size_t alike = shape.matching(heads);
    if (alike == 0) continue;
    if (!shape.known(rosters_)) return 0;
    if (alike > 1) {
      const uint64_t each = shape.values() + shape.rows(block, lists_) * kRowAsValues;
      const uint64_t now = size_in_values(), left = size_max > now ? size_max - now : 1;
      alike = std::min<uint64_t>(alike, (left - 1) / each + 1);
    }
    if (block.records.empty())
      shape.make_room(block, records_expected(block_values(), shape.values()));
    shape.append(heads.first(alike), block, lists_);
    values_ += alike * shape.values();
    block.alike += alike;
    pause_ /= 2;
    return alike;
  }
  return 0;
}

// The record that was walked last, and is in the block. Where no record is like another that is
// tried less and less often; where each block has one, never.
void Decoder::learn(const RecordHead& head, const Block& block) {
  if (block.records.size() < 2 || head.bytes.size() > RecordTemplate::kTemplateBytesMax) return;
  if (left_ > 0) {
    --left_;
    return;
  }
  pause_ = std::min(2 * pause_ + 1, kPauseMax);
  left_ = pause_ - 1;
  RecordTemplate shape(head, layout_);
  for (const Pick pick : picks_) {
    const Row& row = block.columns[pick.column].rows.back();
    const Elem elem = asked_[pick.column].elem;
    if (!shape.add(layout_, layout_.sets[pick.set], row, pick.column, elem)) return;
  }
  if (shapes_.size() < kShapesMax) {
    shapes_.push_back(std::move(shape));
  } else {
    shapes_[next_shape_] = std::move(shape);
    next_shape_ = (next_shape_ + 1) % kShapesMax;
  }
}

// For as many records like the first as a block holds: memory that grows step by step is touched
// several times.
void Decoder::make_room(Block& block) const {
  uint64_t each = 0;
  for (const Pick pick : picks_) each += values_of(pick);
  const uint64_t records = records_expected(block_values(), each);
  for (const Pick pick : picks_) {
    Column& column = block.columns[pick.column];
    column.values.reserve(records * values_of(pick) * elem_bytes(column.elem));
  }
}

uint64_t Decoder::values_of(Pick pick) const {
  if (pick.status != 0) return 0;
  return static_cast<uint64_t>(std::max(layout_.sets[pick.set].count, 0));
}

void Decoder::pick_sets() {
  picks_.clear();
  for (size_t i = 0; i < layout_.sets.size(); ++i) {
    const uint32_t column = column_of(layout_.sets[i].pmid, i);
    if (column == kNotAsked) continue;
    // A metric that stands twice in a record: the first value set counts.
    if (asked_[column].last_record == record_number_) continue;
    asked_[column].last_record = record_number_;
    picks_.push_back({.set = static_cast<uint32_t>(i),
                      .column = column,
                      .status = std::min(layout_.sets[i].count, 0)});
  }
}

uint32_t Decoder::column_of(PmId pmid, size_t position) {
  if (position < seen_.size() && seen_[position].pmid == pmid) return seen_[position].column;
  const auto found = columns_.find(pmid);
  const bool asked = found != columns_.end();
  if (!asked && described_ && !described_->has(pmid)) strangers_.push_back(pmid);
  const Seen seen{.pmid = pmid, .column = asked ? found->second : kNotAsked};
  if (position < seen_.size()) {
    seen_[position] = seen;
  } else {
    seen_.push_back(seen);
  }
  return seen.column;
}

RosterId Decoder::roster_of(const std::byte* pairs, uint32_t count, Asked& asked) {
  // Writers differ in what they call the one instance of a singular metric; there is only one.
  if (asked.indom == kNullId && count == 1) return Rosters::kSingularId;
  if (const RosterId last = asked.last_roster_id; rosters_.knows(last)) {
    const auto instances = rosters_.instances(last);
    if (instances.size() == count && bulk::instances_equal(pairs, instances)) return last;
  }
  instances_.resize(count);
  bulk::instances(pairs, count, instances_.data());
  if (listed_) {
    const auto stranger = listed_->stranger(asked.indom, instances_);
    if (stranger) unlisted_.push_back({.pmid = asked.pmid, .instance = *stranger});
  }
  return asked.last_roster_id = rosters_.intern(instances_);
}

// Rows and values of what was picked, for the last record of the block.
void Decoder::append_rows(const RecordHead& head, Block& block) {
  rows_.clear();
  for (const Pick pick : picks_) {
    RosterId roster = Rosters::kNobodyId;
    if (values_of(pick) != 0) {
      const ValueSet& set = layout_.sets[pick.set];
      roster = roster_of(head.bytes.data() + set.pairs, static_cast<uint32_t>(set.count),
                         asked_[pick.column]);
    }
    rows_.add(roster, pick.status, pick.column, static_cast<uint32_t>(values_of(pick)));
  }
  lists_.append(block, rows_, static_cast<uint32_t>(block.records.size() - 1));
  for (const Pick pick : picks_) {
    const uint64_t values = values_of(pick);
    if (values == 0) continue;
    append_values(head, layout_, layout_.sets[pick.set], block.columns[pick.column]);
    values_ += values;
  }
}

uint64_t values_of_block(size_t columns) {
  constexpr uint64_t kUsual = limits::kBlockValuesTarget;
  return std::clamp<uint64_t>(columns * kRecordsWanted, kUsual, kTimesUsualMax * kUsual);
}

uint64_t Decoder::size_in_values() const { return values_ + lists_.rows() * kRowAsValues; }

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

uint32_t add_text(const RecordHead& head, Spot spot, Column& column) {
  const auto* text = reinterpret_cast<const char*>(head.bytes.data() + spot.offset + kHeaderBytes);
  const size_t bytes = block_length(spot.header) - kHeaderBytes;
  const size_t used = column.elem == Elem::text ? strnlen(text, bytes) : bytes;
  return column.dictionary.add({text, used});
}

void append_values(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                   Column& column) {
  if (!is_number(column.elem)) {
    const auto texts = static_cast<uint32_t>(set.count);
    const uint64_t to = column.grow(texts);
    auto* out = column.values.as<uint32_t>() + to;
    for (uint32_t i = 0; i < texts; ++i) out[i] = add_text(head, spot_of(layout, set, i), column);
    return;
  }
  if (elem_bytes(column.elem) == 8) return append_numbers<uint64_t>(head, layout, set, column);
  if (!set.in_place) return append_numbers<uint32_t>(head, layout, set, column);
  const auto count = static_cast<uint32_t>(set.count);
  const uint64_t first = column.grow(count);
  bulk::values_in_pairs(head.bytes.data() + set.pairs, count, column.values.as<uint32_t>() + first);
}

}  // namespace pmjit
