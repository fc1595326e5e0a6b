// ByteWriter: big-endian fields, one behind the other; the counterpart of base/bytes.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/bytes.h"

namespace pmjit {

class ByteWriter {
 public:
  void u32(uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) put(value >> shift);
  }
  void u64(uint64_t value) {
    u32(static_cast<uint32_t>(value >> 32));
    u32(static_cast<uint32_t>(value));
  }
  void text(std::string_view text) {
    for (const char c : text) put(static_cast<uint8_t>(c));
  }
  void fill(size_t count, char with) { bytes_.insert(bytes_.end(), count, std::byte(with)); }
  // V2 microseconds are cut, not rounded; V3 seconds have the low word first.
  void stamp(Stamp stamp, Version version) {
    const auto seconds = static_cast<uint64_t>(stamp.sec);
    u32(static_cast<uint32_t>(seconds));
    if (version == Version::v3) u32(static_cast<uint32_t>(seconds >> 32));
    u32(static_cast<uint32_t>(version == Version::v2 ? stamp.nsec / 1000 : stamp.nsec));
  }
  // A text field of a fixed size: cut so that at least one NUL remains.
  void padded(std::string_view text, size_t bytes) {
    const std::string_view cut = text.substr(0, bytes - 1);
    this->text(cut);
    fill(bytes - cut.size(), '\0');
  }
  void set_u32(size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; ++i)
      bytes_[at + i] = std::byte(static_cast<uint8_t>(value >> (24 - 8 * i)));
  }

  [[nodiscard]] size_t size() const { return bytes_.size(); }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put(uint32_t byte) { bytes_.push_back(std::byte(static_cast<uint8_t>(byte))); }
  std::vector<std::byte> bytes_;
};

}  // namespace pmjit
