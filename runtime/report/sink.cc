#include "runtime/report/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace pmjit {

namespace {
constexpr size_t kBufferBytes = 256u << 10;  // past this, larger writes are not faster
}

void Sink::put(std::string_view text) {
  char* at = room(text.size());
  std::memcpy(at, text.data(), text.size());
  advance(at + text.size());
}

Result<void> Sink::status() const {
  if (failed_) return fail(*failed_);
  return {};
}

Result<void> Sink::flush() {
  drain();
  return status();
}

void Sink::make_room(size_t bytes) {
  drain();
  buffer_.resize(std::max({buffer_.size(), bytes, kBufferBytes}));
}

void Sink::drain() {
  if (out_) out_->append(buffer_.data(), used_);
  size_t done = 0;
  while (!out_ && !failed_ && done < used_) {
    const ssize_t wrote = ::write(fd_, buffer_.data() + done, used_ - done);
    if (wrote >= 0) {
      done += static_cast<size_t>(wrote);
    } else if (errno != EINTR) {
      failed_ =
          Error(Fault::io, "cannot write the output: " + std::generic_category().message(errno));
    }
  }
  used_ = 0;
}

}  // namespace pmjit
