#include "runtime/cmd/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pmjit {

namespace {
constexpr size_t kBufferBytes = 256u << 10;
}

ToolOutput::ToolOutput() : buffer_(kBufferBytes) {}

ToolOutput& ToolOutput::operator<<(std::string_view text) {
  if (text.size() > buffer_.size()) {
    flush();
    write(text);
  } else {
    char* at = room(text.size());
    std::memcpy(at, text.data(), text.size());
    used(at + text.size());
  }
  return *this;
}

bool ToolOutput::flush() {
  write({buffer_.data(), used_});
  used_ = 0;
  return !failed_;
}

void ToolOutput::write(std::string_view text) {
  while (!text.empty() && !failed_) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno != EINTR) {
      failed_ = true;
    }
  }
}

}  // namespace pmjit
