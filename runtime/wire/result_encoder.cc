#include "runtime/wire/result_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/model/fetched_values.h"
#include "runtime/wire/frame.h"

namespace pmjit::wire {

namespace {

constexpr size_t kKeptBytes = 4u << 20;
// A result of so many goes without a copy.
constexpr size_t kSwappedBytes = 16u << 10;
size_t sets_offset(PduType type) { return type == PduType::result ? 24 : 32; }

struct ResultHead {
  PduType type;
  size_t bytes;  // of the whole PDU
  int32_t from;
  ResultTime time;
  uint32_t sets;
};

void put_head(const ResultHead& head, std::span<std::byte> to) {
  size_t at = 0;
  const auto put = [&](uint32_t word) {
    const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&word));
    std::memcpy(to.data() + at, &turned, sizeof turned);
    at += sizeof turned;
  };
  const auto put_i64 = [&](int64_t value) {
    put(static_cast<uint32_t>(value >> 32));
    put(static_cast<uint32_t>(value));
  };
  put(static_cast<uint32_t>(head.bytes));
  put(static_cast<uint32_t>(head.type));
  put(static_cast<uint32_t>(head.from));
  if (head.type == PduType::result) {
    put(static_cast<uint32_t>(head.time.seconds));
    put(static_cast<uint32_t>(head.time.fraction));
    put(head.sets);
  } else {
    put(head.sets);
    put_i64(head.time.seconds);
    put_i64(head.time.fraction);
  }
}

}  // namespace

ResultTime result_time(PduType type, Stamp stamp) {
  return {.seconds = stamp.sec,
          .fraction = type == PduType::result ? stamp.nsec / 1'000 : stamp.nsec};
}

std::optional<Bytes> copy_head(const ResultMessage& result, PduType type, int32_t from,
                               ResultTime time, ByteWriter& out) {
  const auto& [head, layout] = result.sets;
  const bool moves = type != PduType::result;
  const auto is_plain = [&](const ValueSet& set) {
    return set.count <= 0 || set.in_place || (!moves && block_length(set.header) % 4 == 0);
  };
  // Only blocks that do not follow each other in order have spots.
  if (!layout.spots.empty() || !std::ranges::all_of(layout.sets, is_plain)) return {};
  const Bytes rest = head.bytes.subspan(sets_offset(PduType::result));
  std::array<std::byte, 32> copy{};
  const std::span<std::byte> used(copy.data(), sets_offset(type));
  put_head({.type = type,
            .bytes = used.size() + rest.size(),
            .from = from,
            .time = time,
            .sets = static_cast<uint32_t>(layout.sets.size())},
           used);
  out.bytes(used);
  return rest;
}

void ResultEncoder::clear() {
  if (bytes() > kKeptBytes) {
    sets_ = {};
    blocks_ = {};
    places_ = {};
    scratch_ = {};
  }
  sets_.clear();
  sets_.fill(sets_offset(type_), '\0');
  blocks_.clear();
  places_.clear();
  count_ = 0;
}

ResultEncoder::ResultEncoder(PduType type, ResultTime time) : type_(type), time_(time) { clear(); }

void ResultEncoder::begin(ResultTime time) {
  clear();
  time_ = time;
}

void ResultEncoder::begin_set(PmId pmid, int32_t count, int32_t format) {
  ++count_;
  sets_.u32(pmid);
  sets_.i32(count);
  if (count > 0) sets_.i32(format);
}

void ResultEncoder::put_block(int32_t instance, uint8_t type, Bytes data, bool of_host) {
  check(data.size() <= 0xffffff - 4, "encoder: a value block has more than 2^24 bytes");
  sets_.i32(instance);
  places_.push_back(sets_.size());
  sets_.u32(static_cast<uint32_t>(blocks_.size() / 4));
  if (of_host && is_of_8(type) && data.size() == sizeof(uint64_t)) {
    return put_number_block(type, data);
  }
  blocks_.u32(block_header(type, data.size()));
  if (of_host) {
    scratch_.assign(data.begin(), data.end());
    to_network(type, scratch_);
    data = scratch_;
  }
  blocks_.bytes(data);
  blocks_.fill((4 - data.size() % 4) % 4, kPaddingByte);
}

// Most blocks are numbers of 8 bytes: one piece.
void ResultEncoder::put_number_block(uint8_t type, Bytes data) {
  std::array<std::byte, sizeof(uint32_t) + sizeof(uint64_t)> block;
  const uint32_t header = block_header(type, data.size());
  const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&header));
  const auto number = load_be<uint64_t>(data.data());
  std::memcpy(block.data(), &turned, sizeof turned);
  std::memcpy(block.data() + sizeof turned, &number, sizeof number);
  blocks_.bytes(block);
}

void ResultEncoder::add(PmId pmid, int32_t status) {
  check(status <= 0, "encoder: a set with values, and without");
  begin_set(pmid, status, 0);
}

void ResultEncoder::add(const FetchedSet& set) {
  check(set.numbers.empty(), "encoder: a set in columns");
  if (set.count <= 0) return add(set.pmid, set.count);
  if (set.format == ValueFormat::in_place) {
    begin_set(set.pmid, static_cast<int32_t>(set.values.size()), static_cast<int32_t>(set.format));
    return put_numbers(set.values);
  }
  add_blocks(set.pmid, set.values.size(), set.format, [&](size_t i) { return set.values[i]; });
}

std::span<std::byte> ResultEncoder::add_words(PmId pmid, size_t count) {
  begin_set(pmid, static_cast<int32_t>(count), static_cast<int32_t>(ValueFormat::in_place));
  const size_t bytes = count * 2 * sizeof(uint32_t);
  return {sets_.more(bytes), bytes};
}

void ResultEncoder::put_numbers(std::span<const Value> values) {
  std::byte* at = sets_.more(values.size() * 2 * sizeof(uint32_t));
  for (const Value& value : values) {
    const auto instance = static_cast<uint32_t>(value.instance);
    for (const uint32_t word : {instance, value.word}) {
      const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&word));
      std::memcpy(at, &turned, sizeof turned);
      at += sizeof turned;
    }
  }
}

void ResultEncoder::add(const ResultSets& sets, size_t which) {
  const ValueSet& set = sets.layout.sets[which];
  if (set.count <= 0) return add(set.pmid, set.count);
  const std::byte* pair = sets.head.bytes.data() + set.pairs;
  begin_set(set.pmid, set.count, static_cast<int32_t>(load_be<uint32_t>(pair - 4)));
  if (set.in_place) return sets_.bytes(Bytes(pair, 8 * static_cast<size_t>(set.count)));
  for (uint32_t i = 0; i < static_cast<uint32_t>(set.count); ++i, pair += 8) {
    const auto instance = static_cast<int32_t>(load_be<uint32_t>(pair));
    const StoredBlock block = stored_block(sets.head, sets.layout, set, i);
    put_block(instance, block.type, block.data, false);
  }
}

size_t ResultEncoder::bytes() const { return sets_.size() + blocks_.size(); }

void ResultEncoder::finish(int32_t from, ByteWriter& out) {
  const size_t first_block = sets_.size();
  check(bytes() <= INT32_MAX, "encoder: a result of more than 2^31 bytes");
  for (const size_t place : places_) {
    const uint32_t behind = load_be<uint32_t>(sets_.written().data() + place);
    sets_.set_u32(place, static_cast<uint32_t>(first_block / 4) + behind);
  }
  const size_t start = out.size(), size = bytes();
  if (start == 0 && size > kSwappedBytes) {
    std::swap(out, sets_);  // both have memory for the next one
  } else {
    out.bytes(sets_.written());
  }
  out.bytes(blocks_.written());
  put_head({.type = type_, .bytes = size, .from = from, .time = time_, .sets = count_},
           out.at(start));
  clear();
}

}  // namespace pmjit::wire
