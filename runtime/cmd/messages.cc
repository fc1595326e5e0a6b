#include "runtime/cmd/messages.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace pmjit {

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
