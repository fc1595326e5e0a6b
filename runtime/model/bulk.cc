#include "runtime/model/bulk.h"

#include "runtime/base/bytes.h"

namespace pmjit::bulk {

namespace {

constexpr size_t kPairBytes = 8;

uint32_t raw_word(const std::byte* at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Four words in one register: the compilers do not find a vector for words that are swapped and 8
// bytes apart.
typedef uint32_t FourWords __attribute__((vector_size(16)));
typedef uint16_t EightHalves __attribute__((vector_size(16)));

FourWords four_words(const std::byte* at) {
  FourWords words;
  std::memcpy(&words, at, sizeof words);
  return words;
}

// From big-endian: the bytes of each half, then the halves.
FourWords swapped(FourWords words) {
  const auto halves = (EightHalves)words;
  const auto turned = (FourWords)((halves >> 8) | (halves << 8));
  return (turned >> 16) | (turned << 16);
}

uint32_t any_of(FourWords words) { return words[0] | words[1] | words[2] | words[3]; }

// The step as a constant is what lets the common sizes be unrolled.
template <size_t kStep>
bool headers_equal_at(const std::byte* blocks, size_t count) {
  const uint32_t first = raw_word(blocks);
  uint32_t a = 0, b = 0, c = 0, d = 0;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const std::byte* at = blocks + i * kStep;
    a |= raw_word(at) ^ first;
    b |= raw_word(at + kStep) ^ first;
    c |= raw_word(at + 2 * kStep) ^ first;
    d |= raw_word(at + 3 * kStep) ^ first;
  }
  for (; i < count; ++i) a |= raw_word(blocks + i * kStep) ^ first;
  return (a | b | c | d) == 0;
}

}  // namespace

bool indices_follow(const std::byte* pairs, size_t count, uint32_t first, uint32_t step) {
  size_t i = 0;
  FourWords wrong{}, expected = {first, first + step, first + 2 * step, first + 3 * step};
  for (; i + 4 <= count; i += 4, expected += 4 * step) {
    const auto a = four_words(pairs + i * kPairBytes), b = four_words(pairs + i * kPairBytes + 16);
    wrong |= swapped(__builtin_shufflevector(a, b, 1, 3, 5, 7)) ^ expected;
  }
  uint32_t differ = any_of(wrong);
  for (; i < count; ++i) {
    differ |=
        load_be<uint32_t>(pairs + i * kPairBytes + 4) ^ (first + static_cast<uint32_t>(i) * step);
  }
  return differ == 0;
}

bool instances_equal(const std::byte* pairs, std::span<const int32_t> instances) {
  size_t i = 0;
  FourWords wrong{};
  for (; i + 4 <= instances.size(); i += 4) {
    const auto a = four_words(pairs + i * kPairBytes), b = four_words(pairs + i * kPairBytes + 16);
    FourWords expected;
    std::memcpy(&expected, &instances[i], sizeof expected);
    wrong |= swapped(__builtin_shufflevector(a, b, 0, 2, 4, 6)) ^ expected;
  }
  uint32_t differ = any_of(wrong);
  for (; i < instances.size(); ++i) {
    differ |= load_be<uint32_t>(pairs + i * kPairBytes) ^ static_cast<uint32_t>(instances[i]);
  }
  return differ == 0;
}

void instances(const std::byte* pairs, size_t count, int32_t* out) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<int32_t>(load_be<uint32_t>(pairs + i * kPairBytes));
  }
}

bool headers_equal(const std::byte* blocks, size_t count, size_t step) {
  if (step == 8) return headers_equal_at<8>(blocks, count);
  if (step == 12) return headers_equal_at<12>(blocks, count);
  const uint32_t first = raw_word(blocks);
  for (size_t i = 0; i < count; ++i) {
    if (raw_word(blocks + i * step) != first) return false;
  }
  return true;
}

void values_in_pairs(const std::byte* pairs, size_t count, uint32_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = load_be<uint32_t>(pairs + i * kPairBytes + 4);
}

void values_of_4(const std::byte* blocks, size_t count, uint32_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = load_be<uint32_t>(blocks + i * 8 + 4);
}

void values_of_8(const std::byte* blocks, size_t count, uint64_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = load_be<uint64_t>(blocks + i * 12 + 4);
}

}  // namespace pmjit::bulk
