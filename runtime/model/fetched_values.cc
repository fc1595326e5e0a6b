#include "runtime/model/fetched_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {

namespace {

constexpr size_t kChunkBytes = 64u << 10;

template <class T>
void swap_at(std::byte* at) {
  const T value = load_be<T>(at);
  std::memcpy(at, &value, sizeof value);
}

// Which order the bytes have before they are swapped: what an array counts is read in that.
enum class From : uint8_t { network, host };

// Swaps the words of a block in place, as far as it is well formed.
void swap_block(From from, uint8_t type, std::byte* at, size_t bytes, int depth = 0);

// Arrays within arrays: PCP has none, and a block has room for more than the stack has.
constexpr int kDepthMax = 8;

// An array of event records: count, then { stamp, flags, count of parameters, parameters }.
class EventSwapper {
 public:
  EventSwapper(From from, std::byte* at, size_t bytes, int depth)
      : from_(from), at_(at), left_(bytes), depth_(depth) {}

  void run(bool high_resolution) {
    constexpr uint32_t kMissed = 0x80000000;
    const uint32_t records = word();
    for (uint32_t r = 0; r < records && left_ > 0; ++r) {
      if (high_resolution) {
        wide();
        wide();
      } else {
        word();
        word();
      }
      const bool missed = (word() & kMissed) != 0;
      const uint32_t parameters = word();
      for (uint32_t p = 0; !missed && p < parameters && left_ > 0; ++p) parameter();
    }
  }

 private:
  uint32_t word() {
    if (left_ < 4) {
      left_ = 0;
      return 0;
    }
    uint32_t value = 0;
    if (from_ == From::host) std::memcpy(&value, at_, 4);
    swap_at<uint32_t>(at_);
    if (from_ == From::network) std::memcpy(&value, at_, 4);
    skip(4);
    return value;
  }
  void wide() {
    if (left_ < 8) {
      left_ = 0;
      return;
    }
    swap_at<uint64_t>(at_);
    skip(8);
  }
  void parameter() {
    word();  // its identifier
    const uint32_t header = word();
    const size_t bytes = block_length(header) < 4 ? 0 : block_length(header) - 4;
    if (bytes > left_) {
      left_ = 0;
      return;
    }
    // 32-bit numbers, which stand in place elsewhere, are blocks here.
    const auto type = static_cast<uint8_t>(block_type(header));
    if (type <= pm_type::u32 && bytes >= 4) swap_at<uint32_t>(at_);
    swap_block(from_, type, at_, bytes, depth_ + 1);
    skip(std::min<size_t>((bytes + 3) & ~size_t{3}, left_));
  }
  void skip(size_t bytes) {
    at_ += bytes;
    left_ -= bytes;
  }

  From from_;
  std::byte* at_;
  size_t left_;
  int depth_;
};

void swap_block(From from, uint8_t type, std::byte* at, size_t bytes, int depth) {
  switch (type) {
    case pm_type::i64:
    case pm_type::u64:
    case pm_type::f64:
      if (bytes >= 8) swap_at<uint64_t>(at);
      break;
    case pm_type::f32:
      if (bytes >= 4) swap_at<uint32_t>(at);
      break;
    case pm_type::event:
    case pm_type::highres_event:
      if (depth < kDepthMax)
        EventSwapper(from, at, bytes, depth).run(type == pm_type::highres_event);
      break;
    default: break;
  }
}

// Writers differ in what they call the one instance of a singular metric.
RosterId roster_of(const FetchedSet& set, const Desc& desc, RosterId last, Rosters& rosters) {
  if (desc.indom == kNullId && set.count == 1) return Rosters::kSingularId;
  const auto interned = [&](const auto& of, auto instance) {
    if (rosters.knows(last) && std::ranges::equal(of, rosters.instances(last), {}, instance)) {
      return last;
    }
    std::vector<int32_t> instances(of.size());
    std::ranges::transform(of, instances.begin(), instance);
    return rosters.intern(instances);
  };
  if (!set.numbers.empty()) return interned(set.instances, std::identity());
  return interned(set.values, &Value::instance);
}

std::string_view text_of(Elem elem, const Atom& atom) {
  if (elem == Elem::text) return atom.text();
  return {reinterpret_cast<const char*>(atom.bytes.data()), atom.bytes.size()};
}

Value value_of(const Column& column, uint64_t index, int32_t instance, const Desc& desc,
               ValueFormat format) {
  Value value{.instance = instance, .type = static_cast<uint8_t>(desc.pm_type)};
  const size_t bytes = elem_bytes(column.elem);
  const std::byte* at = column.values.data() + index * bytes;
  if (format == ValueFormat::in_place) {
    std::memcpy(&value.word, at, bytes);  // what is narrower stands first
  } else if (is_number(column.elem)) {
    value.block = Bytes(at, bytes);
  } else {
    uint32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    const std::string_view text = column.dictionary[number];
    value.block = Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
  }
  return value;
}

void append_values(const FetchedSet& set, const Desc& desc, Column& column) {
  uint64_t to = column.grow(set.values.size());
  const size_t bytes = elem_bytes(column.elem);
  for (const Value& value : set.values) {
    const auto atom = load_atom(set.format, desc.pm_type, value);
    std::byte* out = column.values.data() + bytes * to;
    if (!atom) {
      column.mark_invalid(to, 1);
    } else if (is_number(column.elem)) {
      std::memcpy(out, &atom->u64, bytes);  // all its members begin at one place
    } else {
      const uint32_t index = column.dictionary.add(text_of(column.elem, *atom));
      std::memcpy(out, &index, sizeof index);
    }
    ++to;
  }
}

// What counts of their bits are the lower ones.
void append_numbers(std::span<const uint64_t> numbers, Column& column) {
  const size_t bytes = elem_bytes(column.elem);
  const uint64_t first = column.grow(numbers.size());
  std::byte* out = column.values.data() + bytes * first;
  if (bytes == sizeof(uint64_t)) {
    std::memcpy(out, numbers.data(), numbers.size_bytes());
    return;
  }
  for (const uint64_t number : numbers) {
    std::memcpy(out, &number, bytes);
    out += bytes;
  }
}

}  // namespace

std::byte* Arena::take(size_t bytes) {
  const size_t rounded = (bytes + 7) & ~size_t{7};
  while (chunk_ < chunks_.size() && used_ + rounded > chunks_[chunk_].capacity) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    const size_t capacity = std::max(kChunkBytes, rounded);
    chunks_.push_back({std::make_unique_for_overwrite<uint64_t[]>(capacity / 8), capacity});
    used_ = 0;
  }
  auto* at = reinterpret_cast<std::byte*>(chunks_[chunk_].words.get()) + used_;
  used_ += rounded;
  return at;
}

void Arena::clear() {
  chunk_ = 0;
  used_ = 0;
}

Bytes block_to_host(uint8_t type, Bytes stored, Arena& arena) {
  std::byte* to = arena.take(stored.size());
  if (!stored.empty()) std::memcpy(to, stored.data(), stored.size());
  to_host(type, {to, stored.size()});
  return {to, stored.size()};
}

void to_host(uint8_t type, std::span<std::byte> block) {
  swap_block(From::network, type, block.data(), block.size());
}

void to_network(uint8_t type, std::span<std::byte> block) {
  swap_block(From::host, type, block.data(), block.size());
}

uint64_t number_in(const StoredBlock& block) {
  if (is_of_8(block.type) && block.data.size() >= 8) return load_be<uint64_t>(block.data.data());
  if (block.type == pm_type::f32 && block.data.size() == 4) {
    return load_be<uint32_t>(block.data.data());
  }
  // A block that is not of its metric's type or length: as it stands in memory.
  std::array<std::byte, sizeof(uint64_t)> number{};
  const size_t bytes = std::min(block.data.size(), number.size());
  std::copy_n(block.data.begin(), bytes, number.begin());
  to_host(block.type, {number.data(), bytes});
  return std::bit_cast<uint64_t>(number);
}

void append_set(const FetchedSet& set, const Desc& desc, Row row, RosterId& last, Rosters& rosters,
                Column& column) {
  row.status = std::min(set.count, 0);
  row.roster_id = Rosters::kNobodyId;
  row.offset = column.count;
  if (set.count > 0) {
    row.roster_id = last = roster_of(set, desc, last, rosters);
    if (set.numbers.empty()) {
      append_values(set, desc, column);
    } else {
      append_numbers(set.numbers, column);
    }
  }
  column.rows.push_back(row);
}

ValueFormat format_of(const Desc& desc) {
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  return in_place ? ValueFormat::in_place : ValueFormat::block;
}

void spread(int pm_type, Arena& arena, FetchedSet& set) {
  const bool in_place = set.format == ValueFormat::in_place;
  std::byte* room = arena.take(in_place ? 0 : sizeof(uint64_t) * set.numbers.size());
  for (size_t i = 0; i < set.numbers.size(); ++i) {
    const uint64_t bits = set.numbers[i];
    Value& value = set.values.emplace_back();
    value.instance = set.instances[i];
    value.type = static_cast<uint8_t>(pm_type);
    if (in_place) {
      value.word = static_cast<uint32_t>(bits);
      continue;
    }
    std::memcpy(room, &bits, sizeof bits);  // what counts stands first
    value.block = {room, is_of_8(value.type) ? sizeof(uint64_t) : sizeof(uint32_t)};
    room += sizeof bits;
  }
  set.numbers = {};
  set.instances = {};
}

void take_known(const Column& column, uint64_t offset, std::span<const int32_t> instances,
                std::span<const int32_t> lanes, const Desc& desc, FetchedSet& out) {
  out.format = format_of(desc);
  out.values.clear();
  for (size_t i = 0; i < instances.size(); ++i) {
    const uint64_t index = offset + static_cast<uint64_t>(lanes[i]);
    if (lanes[i] < 0 || !column.is_valid(index)) continue;
    out.values.push_back(value_of(column, index, instances[i], desc, out.format));
  }
  out.count = static_cast<int32_t>(out.values.size());
}

}  // namespace pmjit
