#include "runtime/model/fetched_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "runtime/model/pm_type.h"

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

}  // namespace pmjit
