// ByteWriter: big-endian fields, one behind the other; the counterpart of bytes.h.
//
//   ByteWriter out;
//   out.u32(length);
//   out.text(name);
//   out.fill(3, '~');
//   std::vector<std::byte> bytes = out.take();
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/bytes.h"

namespace pmjit {

class ByteWriter {
 public:
  void u8(uint8_t value) { bytes_.push_back(std::byte(value)); }
  void u16(uint16_t value) { put(value); }
  void u32(uint32_t value) { put(value); }
  void i32(int32_t value) { put(static_cast<uint32_t>(value)); }
  void u64(uint64_t value) { put(value); }
  void i64(int64_t value) { put(static_cast<uint64_t>(value)); }
  void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }
  void bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void fill(size_t count, char with) { bytes_.insert(bytes_.end(), count, std::byte(with)); }
  // A text field of a fixed size: cut so that at least one NUL remains.
  void padded(std::string_view text, size_t bytes) {
    const std::string_view cut = text.substr(0, bytes - 1);
    this->text(cut);
    fill(bytes - cut.size(), '\0');
  }
  void set_u32(size_t at, uint32_t value) {
    const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&value));
    std::memcpy(bytes_.data() + at, &turned, sizeof turned);
  }

  [[nodiscard]] size_t size() const { return bytes_.size(); }
  [[nodiscard]] Bytes written() const { return bytes_; }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  void clear() { bytes_.clear(); }  // keeps the memory
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(T value) {
    const T turned = load_be<T>(reinterpret_cast<const std::byte*>(&value));
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof turned);
    std::memcpy(bytes_.data() + at, &turned, sizeof turned);
  }
  std::vector<std::byte> bytes_;
};

}  // namespace pmjit
