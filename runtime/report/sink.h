// Sink: where a writer's bytes go, through one large buffer. The first failure is kept: later bytes
// are dropped and flush() tells, so that output cut short by a full disk is never taken for whole.
// Whoever writes to a pipe ignores SIGPIPE; a closed pipe is then an ordinary error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

class Sink {
 public:
  explicit Sink(int fd) : fd_(fd) {}
  explicit Sink(std::string& out) : out_(&out) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // At least `bytes` of room; write there, then advance() to the end of what was written.
  char* room(size_t bytes) {
    if (buffer_.size() - used_ < bytes) make_room(bytes);
    return buffer_.data() + used_;
  }
  void advance(const char* end) { used_ = static_cast<size_t>(end - buffer_.data()); }
  void put(std::string_view text);
  // Bytes that are no lines: many of them go past the buffer.
  void put_block(std::string_view bytes);

  // Called before bytes leave the buffer: time to clear what else stands on the same terminal.
  void before_writing(std::function<void()> hook) { before_writing_ = std::move(hook); }

  [[nodiscard]] Result<void> status() const;  // what has failed so far
  [[nodiscard]] Result<void> flush();

 private:
  void make_room(size_t bytes);
  void write_out(size_t bytes);
  void send(std::string_view bytes);

  int fd_ = -1;
  std::string* out_ = nullptr;
  std::vector<char> buffer_;
  size_t used_ = 0;
  std::function<void()> before_writing_;
  std::optional<Error> failed_;
};

}  // namespace pmjit
