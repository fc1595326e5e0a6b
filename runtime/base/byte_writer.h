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
  ByteWriter() = default;
  ByteWriter(ByteWriter&&) = default;
  ByteWriter& operator=(ByteWriter&&) = default;
  ByteWriter(const ByteWriter& other) { bytes(other.written()); }
  ByteWriter& operator=(const ByteWriter& other) { return *this = ByteWriter(other); }
  ~ByteWriter() = default;

  void u8(uint8_t value) { put(value); }
  void u16(uint16_t value) { put(value); }
  void u32(uint32_t value) { put(value); }
  void i32(int32_t value) { put(static_cast<uint32_t>(value)); }
  void u64(uint64_t value) { put(value); }
  void i64(int64_t value) { put(static_cast<uint64_t>(value)); }
  void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }
  void bytes(Bytes bytes) {
    if (!bytes.empty()) std::memcpy(more(bytes.size()), bytes.data(), bytes.size());
  }
  void fill(size_t count, char with) {
    if (count > 0) std::memset(more(count), with, count);
  }
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

  // Room for so many, which are to be written.
  std::byte* more(size_t bytes) {
    const size_t at = bytes_.size();
    bytes_.resize(at + bytes);
    return bytes_.data() + at;
  }
  // What has been written from there on, to be changed.
  [[nodiscard]] std::span<std::byte> at(size_t begin) {
    return {bytes_.data() + begin, bytes_.size() - begin};
  }

  [[nodiscard]] size_t size() const { return bytes_.size(); }
  [[nodiscard]] Bytes written() const { return {bytes_.data(), bytes_.size()}; }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  void clear() { bytes_.clear(); }  // keeps the memory
  [[nodiscard]] std::vector<std::byte> take() {
    const Buffer taken = std::exchange(bytes_, Buffer());
    return {taken.data(), taken.data() + taken.size()};
  }

 private:
  template <class T>
  void put(T value) {
    const T turned = load_be<T>(reinterpret_cast<const std::byte*>(&value));
    std::memcpy(more(sizeof turned), &turned, sizeof turned);
  }
  Buffer bytes_;
};

}  // namespace pmjit
