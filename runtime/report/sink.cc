#include "runtime/report/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace pmjit {

namespace {
constexpr size_t kBufferBytes = 256u << 10;  // past this, larger writes are not faster
constexpr size_t kBlockBytes = 64u << 10;    // cheaper to write than to copy
}  // namespace

void Sink::put(std::string_view text) {
  char* at = room(text.size());
  std::memcpy(at, text.data(), text.size());
  advance(at + text.size());
}

void Sink::put_block(std::string_view bytes) {
  if (bytes.size() < kBlockBytes) return put(bytes);
  write_out(used_);
  send(bytes);
}

Result<void> Sink::status() const {
  if (failed_) return fail(*failed_);
  return {};
}

Result<void> Sink::flush() {
  write_out(used_);
  return status();
}

// Whole lines leave the buffer, so that a progress bar never stands within one.
void Sink::make_room(size_t bytes) {
  const size_t newline = std::string_view(buffer_.data(), used_).rfind('\n');
  write_out(newline == std::string_view::npos ? used_ : newline + 1);
  buffer_.resize(std::max({buffer_.size(), used_ + bytes, kBufferBytes}));
}

void Sink::write_out(size_t bytes) {
  if (bytes == 0) return;
  send({buffer_.data(), bytes});
  used_ -= bytes;
  std::memmove(buffer_.data(), buffer_.data() + bytes, used_);
}

void Sink::send(std::string_view bytes) {
  if (before_writing_) before_writing_();
  if (out_) out_->append(bytes);
  while (!out_ && !failed_ && !bytes.empty()) {
    const ssize_t wrote = ::write(fd_, bytes.data(), bytes.size());
    if (wrote >= 0) {
      bytes.remove_prefix(static_cast<size_t>(wrote));
    } else if (errno != EINTR) {
      failed_ =
          Error(Fault::io, "cannot write the output: " + std::generic_category().message(errno));
    }
  }
}

}  // namespace pmjit
