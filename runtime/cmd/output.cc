#include "runtime/cmd/output.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace pmjit {

namespace {

constexpr size_t kBufferBytes = 256u << 10;

}  // namespace

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

void Messages::complain(std::string_view text) {
  text_ += program_;
  text_ += ": ";
  text_ += text;
  text_ += '\n';
}

void Messages::flush() {
  if (text_.empty()) return;
  const char* path = std::getenv("PCP_STDERR");
  FILE* out = stderr;
  std::unique_ptr<FILE, int (*)(FILE*)> file(nullptr, &std::fclose);
  // The reference shows a window for DISPLAY; without its program for that it prints, as we do.
  if (path != nullptr && *path != '\0' && std::strcmp(path, "DISPLAY") != 0) {
    file.reset(std::fopen(path, "a"));
    if (file != nullptr) {
      out = file.get();
    } else {
      fmt::print(stderr, "pmflush: cannot append to file '{}' (from $PCP_STDERR): {}\n", path,
                 std::strerror(errno));
    }
  }
  std::fwrite(text_.data(), 1, text_.size(), out);
  text_.clear();
}

}  // namespace pmjit
