// What compress(1) writes, as a stream. Magic number 1f 9d; a byte with the largest code width (9
// to 16 bits) and, in its top bit, whether code 256 empties the table. Then codes, low bits first,
// 9 bits wide at first. Codes come in groups of eight; where the width changes or the table is
// emptied, the rest of the group is not used. There is no checksum and no mark of the end: a file
// cut short is a shorter file, and the records in it tell.
#include <algorithm>
#include <array>

#include "runtime/archive/format/decompressor.h"

namespace pmjit {

namespace {

constexpr uint32_t kLiterals = 256, kEmpty = 256, kNoCode = UINT32_MAX;
constexpr uint32_t kWidthMin = 9, kWidthMax = 16;
constexpr size_t kHeaderBytes = 3;

class LzwDecompressor final : public Decompressor {
 public:
  OrDecodeFailure<DecodeStep> step(Bytes in, bool last, std::span<std::byte> out) override {
    DecodeStep done;
    while (header_seen_ < kHeaderBytes && done.read < in.size()) {
      if (!read_header(std::to_integer<uint32_t>(in[done.read++]))) {
        return std::unexpected(DecodeFailure{});
      }
    }
    if (header_seen_ < kHeaderBytes) {
      if (last) return std::unexpected(kCutShort);
      return done;
    }
    for (;;) {
      done.wrote += give(out.subspan(done.wrote));
      if (pending_ != 0) return done;
      if (!has_code(in, done.read)) {
        done.finished = last;
        return done;
      }
      if (!take_code()) return std::unexpected(DecodeFailure{});
    }
  }

 private:
  bool read_header(uint32_t byte) {
    constexpr std::array<uint32_t, 2> kMagic = {0x1f, 0x9d};
    if (header_seen_ < kMagic.size()) return byte == kMagic[header_seen_++];
    ++header_seen_;
    width_max_ = byte & 0x1f;
    can_empty_ = (byte & 0x80) != 0;
    next_ = first_code();
    return width_max_ >= kWidthMin && width_max_ <= kWidthMax;
  }

  uint32_t first_code() const { return can_empty_ ? kLiterals + 1 : kLiterals; }

  // Fills the bit buffer until it holds a code, past the unused rest of a group.
  bool has_code(Bytes in, size_t& read) {
    if (next_ >= 1u << width_ && width_ < width_max_) change_width(width_ + 1);
    for (;;) {
      const uint32_t skipped = std::min(skip_, bits_);
      buffer_ >>= skipped, bits_ -= skipped, skip_ -= skipped;
      if (skip_ == 0 && bits_ >= width_) return true;
      if (read == in.size()) return false;
      buffer_ |= std::to_integer<uint64_t>(in[read++]) << bits_;
      bits_ += 8;
    }
  }

  void change_width(uint32_t width) {
    const uint32_t group = width_ * 8;
    skip_ += (group - used_ % group) % group;
    used_ = 0;
    width_ = width;
  }

  bool take_code() {
    const auto code = static_cast<uint32_t>(buffer_ & ((1u << width_) - 1));
    buffer_ >>= width_, bits_ -= width_, used_ += width_;
    if (code == kEmpty && can_empty_) {
      change_width(kWidthMin);
      next_ = first_code();
      previous_ = kNoCode;
      return true;
    }
    if (previous_ == kNoCode ? code >= kLiterals : code > next_) return false;
    expand(code);
    if (previous_ != kNoCode && next_ < 1u << width_max_) {
      prefixes_[next_] = static_cast<uint16_t>(previous_);
      suffixes_[next_] = first_byte_;
      ++next_;
    }
    previous_ = code;
    return true;
  }

  // The text of a code, last byte first, as the table's links have it.
  void expand(uint32_t code) {
    uint32_t at = code;
    if (code == next_) {  // not in the table yet: the text before, and its own first byte again
      text_[pending_++] = first_byte_;
      at = previous_;
    }
    for (; at >= kLiterals; at = prefixes_[at]) text_[pending_++] = suffixes_[at];
    first_byte_ = static_cast<std::byte>(at);
    text_[pending_++] = first_byte_;
  }

  size_t give(std::span<std::byte> out) {
    const size_t bytes = std::min(out.size(), pending_);
    for (size_t i = 0; i < bytes; ++i) out[i] = text_[--pending_];
    return bytes;
  }

  size_t header_seen_ = 0;
  uint32_t width_ = kWidthMin, width_max_ = kWidthMin;
  bool can_empty_ = false;
  uint64_t buffer_ = 0;  // bits not used yet, the next one lowest
  uint32_t bits_ = 0;    // how many
  uint32_t skip_ = 0;    // bits to pass over before the next code
  uint32_t used_ = 0;    // bits of codes of this width
  uint32_t next_ = 0;    // the code that the next entry of the table gets
  uint32_t previous_ = kNoCode;
  std::byte first_byte_{};  // of the text before
  std::array<uint16_t, 1u << kWidthMax> prefixes_{};
  std::array<std::byte, 1u << kWidthMax> suffixes_{};
  std::array<std::byte, (1u << kWidthMax) + 1> text_{};
  size_t pending_ = 0;
};

}  // namespace

std::unique_ptr<Decompressor> make_lzw_decompressor() {
  return std::make_unique<LzwDecompressor>();
}

}  // namespace pmjit
