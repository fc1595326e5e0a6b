#include "runtime/base/bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

std::atomic<bool>& guard_pages() {
  static std::atomic<bool> on =
      false;  // listed in tests/tidy: set by tests before the first buffer
  return on;
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void Buffer::use_guard_pages(bool on) { guard_pages() = on; }

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      base_(std::exchange(other.base_, nullptr)),
      base_bytes_(std::exchange(other.base_bytes_, 0)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(base_, other.base_);
  std::swap(base_bytes_, other.base_bytes_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void Buffer::release() {
  if (base_bytes_ != 0) {
    munmap(base_, base_bytes_);
  } else {
    std::free(base_);
  }
  data_ = base_ = nullptr;
  size_ = capacity_ = base_bytes_ = 0;
}

void Buffer::reserve(size_t bytes) {
  if (bytes <= capacity_) return;
  const size_t wanted = round_up(std::max(bytes, capacity_ * 2) + kBufferPadding, kBufferAlign);
  Buffer next;
  if (guard_pages()) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    next.base_bytes_ = round_up(wanted, page) + page;
    void* map =
        mmap(nullptr, next.base_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(map != MAP_FAILED, "guarded buffer: mmap");
    next.base_ = static_cast<std::byte*>(map);
    std::byte* guard = next.base_ + next.base_bytes_ - page;
    check(mprotect(guard, page, PROT_NONE) == 0, "guarded buffer: mprotect");
    next.data_ = guard - wanted;
  } else {
    next.base_ = static_cast<std::byte*>(std::aligned_alloc(kBufferAlign, wanted));
    if (next.base_ == nullptr) throw std::bad_alloc();
    next.data_ = next.base_;
  }
  next.capacity_ = wanted - kBufferPadding;
  next.size_ = size_;
  if (size_ != 0) std::memcpy(next.data_, data_, size_);
  *this = std::move(next);
}

}  // namespace pmjit
