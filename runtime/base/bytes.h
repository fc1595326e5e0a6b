// ByteReader: big-endian bytes through one bounded door. A short read is remembered, not thrown:
// fields read after it are zero, and finish() or ok() tells once, at the end.
//
//   ByteReader in(bytes);
//   Label label{.magic = in.u32(), .pid = in.i32()};
//   if (!in.ok()) return fail(Fault::truncated, "label");
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace pmjit {

using Bytes = std::span<const std::byte>;

template <class T>
inline T load_be(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(__builtin_bswap16(static_cast<uint16_t>(value)));
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(__builtin_bswap32(static_cast<uint32_t>(value)));
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(__builtin_bswap64(static_cast<uint64_t>(value)));
  return value;
}

class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  uint8_t u8() { return take<uint8_t>(); }
  uint16_t u16() { return take<uint16_t>(); }
  uint32_t u32() { return take<uint32_t>(); }
  int32_t i32() { return static_cast<int32_t>(take<uint32_t>()); }
  uint64_t u64() { return take<uint64_t>(); }
  int64_t i64() { return static_cast<int64_t>(take<uint64_t>()); }
  Bytes bytes(size_t count) {
    if (count > left()) return spoil(), Bytes{};
    Bytes out = bytes_.subspan(pos_, count);
    pos_ += count;
    return out;
  }
  std::string_view text(size_t count) {
    Bytes raw = bytes(count);
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
  }
  void skip(size_t count) { (void)bytes(count); }

  [[nodiscard]] size_t pos() const { return pos_; }
  [[nodiscard]] size_t left() const { return bytes_.size() - pos_; }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return ok_ && left() == 0; }

 private:
  template <class T>
  T take() {
    if (sizeof(T) > left()) return spoil(), T{};
    T value = load_be<T>(bytes_.data() + pos_);
    pos_ += sizeof(T);
    return value;
  }
  void spoil() {
    ok_ = false;
    pos_ = bytes_.size();
  }
  Bytes bytes_;
  size_t pos_ = 0;
  bool ok_ = true;
};

// Buffer: the bytes behind a column. Aligned to a cache line and padded so that a kernel may load
// or store whole vectors of 8 lanes at the end; what lies in the padding is never part of a result.
//
// Generated code is invisible to address sanitizers, so tests switch on guard pages: then the
// padding of every buffer ends exactly where an unmapped page begins.
inline constexpr size_t kBufferAlign = 64;
inline constexpr size_t kBufferPadding = 64;  // bytes that may be touched beyond size()

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t bytes) { resize(bytes); }
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  void reserve(size_t bytes);  // keeps the content
  void resize(size_t bytes) {  // keeps the content; new bytes are not initialised
    if (bytes > capacity_) reserve(bytes);
    size_ = bytes;
  }
  void clear() { size_ = 0; }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() { return data_; }
  [[nodiscard]] const std::byte* data() const { return data_; }
  template <class T>
  [[nodiscard]] T* as() {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  [[nodiscard]] const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

  static void use_guard_pages(bool on);  // tests only; before the first buffer is made

 private:
  void release();
  std::byte* data_ = nullptr;
  std::byte* base_ = nullptr;  // what to give back: the mapping or the heap block
  size_t base_bytes_ = 0;      // not 0: a guarded mapping
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace pmjit
