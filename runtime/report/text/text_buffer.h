// TextBuffer: text that grows at its end; its memory is kept for the next.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

namespace pmjit {

class TextBuffer {
 public:
  // At least `bytes` of room; write there, then advance() to the end of what was written.
  char* room(size_t bytes) {
    if (capacity_ - size_ < bytes) grow(bytes);
    return bytes_.get() + size_;
  }
  void advance(const char* end) { size_ = static_cast<size_t>(end - bytes_.get()); }
  void put(std::string_view text) {
    char* at = room(text.size());
    std::memcpy(at, text.data(), text.size());
    advance(at + text.size());
  }
  [[nodiscard]] std::string_view text() const { return {bytes_.get(), size_}; }
  [[nodiscard]] size_t size() const { return size_; }
  void clear() { size_ = 0; }
  // Memory beyond `most` bytes is not kept.
  void clear(size_t most) {
    size_ = 0;
    if (capacity_ <= most) return;
    bytes_.reset();
    capacity_ = 0;
  }
  // Takes what stands before the last `count` bytes away.
  void keep_last(size_t count) {
    std::memmove(bytes_.get(), bytes_.get() + size_ - count, count);
    size_ = count;
  }

 private:
  void grow(size_t bytes) {
    const size_t capacity = std::max(2 * capacity_, size_ + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace pmjit
