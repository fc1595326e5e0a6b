#include "runtime/archive/reader/file_window.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr size_t kWindowBytes = 256u << 10;
constexpr uint64_t kPageBytes = 4096;  // reads that start at a page are a quarter faster

// A large piece for small records. Of large ones no more than the record, for what is read of the
// next would be moved before that is read.
uint64_t bytes_to_read(uint64_t wanted) {
  if (wanted < kWindowBytes / 2) return kWindowBytes;
  return (wanted + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace

Result<Bytes> FileWindow::at(uint64_t offset, size_t wanted) {
  if (offset < first_ || offset + wanted > first_ + used_) {
    const uint64_t first = offset / kPageBytes * kPageBytes;
    if (auto filled = fill(first, bytes_to_read(offset - first + wanted)); !filled)
      return std::unexpected(filled.error());
  }
  const auto skip = static_cast<size_t>(offset - first_);
  if (skip >= used_) return Bytes{};
  return Bytes(buffer_.data() + skip, used_ - skip);
}

Result<Bytes> FileWindow::before(uint64_t end, size_t wanted) {
  const uint64_t offset = end - std::min<uint64_t>(end, wanted);
  if (offset < first_ || end > first_ + used_) {
    const uint64_t first =
        (end - std::min(end, bytes_to_read(end - offset))) / kPageBytes * kPageBytes;
    if (auto filled = fill(first, end - first); !filled) return std::unexpected(filled.error());
  }
  const auto skip = static_cast<size_t>(offset - first_);
  if (skip >= used_) return Bytes{};
  const Bytes rest(buffer_.data() + skip, used_ - skip);
  return rest.first(std::min(rest.size(), static_cast<size_t>(end - offset)));
}

// The buffer becomes the `wanted` bytes from `first` on; what it holds of them already is moved.
Result<void> FileWindow::fill(uint64_t first, uint64_t wanted) {
  const bool inside = first >= first_ && first < first_ + used_;
  const size_t kept = inside ? static_cast<size_t>(first_ + used_ - first) : 0;
  const uint64_t size = file_->size();
  const uint64_t in_file = first < size ? size - first : 0;
  const auto bytes = static_cast<size_t>(std::min(wanted, in_file));
  if (kept != 0) std::memmove(buffer_.data(), buffer_.data() + (first - first_), kept);
  first_ = first;
  used_ = kept;
  if (kept >= bytes) return {};
  buffer_.resize(bytes);
  auto got = file_->read(first + kept, std::span(buffer_.data() + kept, bytes - kept));
  if (!got) return std::unexpected(got.error());
  used_ = kept + *got;
  return {};
}

Result<Bytes> FileWindow::record_at(uint64_t offset) {
  auto bytes = at(offset, sizeof(uint32_t));
  if (!bytes || bytes->size() < sizeof(uint32_t)) return bytes;
  const uint32_t length = load_be<uint32_t>(bytes->data());
  if (length <= bytes->size() || length > limits::kRecordBytesMax) return bytes;
  return at(offset, length);
}

}  // namespace pmjit
