#include "runtime/cmd/pminfo/report.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pmjit {

namespace {

constexpr size_t kBlock = 64, kLengthAt = kBlock - sizeof(uint64_t);

struct Round {
  uint32_t mix, constant;
};

Round round_of(size_t i, uint32_t b, uint32_t c, uint32_t d) {
  if (i < 20) return {(b & c) | (~b & d), 0x5a827999};
  if (i < 40) return {b ^ c ^ d, 0x6ed9eba1};
  if (i < 60) return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
  return {b ^ c ^ d, 0xca62c1d6};
}

void add_block(std::array<uint32_t, 5>& state, std::string_view block) {
  std::array<uint32_t, 80> words{};
  for (size_t i = 0; i < kBlock; ++i) {
    words[i / 4] = words[i / 4] << 8 | static_cast<uint8_t>(block[i]);
  }
  for (size_t i = 16; i < words.size(); ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (size_t i = 0; i < words.size(); ++i) {
    const Round round = round_of(i, b, c, d);
    const uint32_t next = std::rotl(a, 5) + round.mix + e + round.constant + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

std::string sha1_hex(std::string_view text) {
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % kBlock != kLengthAt) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded += static_cast<char>(uint64_t{text.size()} * 8 >> shift);
  }
  std::array<uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t at = 0; at < padded.size(); at += kBlock) {
    add_block(state, std::string_view(padded).substr(at, kBlock));
  }
  std::string out;
  for (const uint32_t word : state) out += fmt::format("{:08x}", word);
  return out;
}

}  // namespace pmjit
