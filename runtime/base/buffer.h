// Buffer: the bytes behind a column. Aligned to a cache line and padded so that a kernel may load
// or store whole vectors of 8 lanes at the end; what lies in the padding is never part of a result.
//
// Generated code is invisible to address sanitizers, so tests switch on guard pages: then the
// padding of every buffer ends exactly where an unmapped page begins.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pmjit {

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
  void resize(size_t bytes);   // keeps the content; new bytes are not initialised
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
