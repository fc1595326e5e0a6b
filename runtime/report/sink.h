// Sink: where a writer's bytes go, through one large buffer. The first failure is kept: later bytes
// are dropped and flush() tells, so that output cut short by a full disk is never taken for whole.
// A file that could not take all of it is cut behind its last whole line. Whoever writes to a pipe
// ignores SIGPIPE; a closed pipe is then an ordinary error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/report/text_buffer.h"

namespace pmjit {

class Sink {
 public:
  explicit Sink(int fd) : fd_(fd) {}
  explicit Sink(std::string& out) : out_(&out) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void put(std::string_view text);
  // Whole lines, which leave at once.
  void put_lines(std::string_view lines);
  // Bytes that are no lines: many of them go past the buffer.
  void put_block(std::string_view bytes);

  // Called before bytes leave the buffer: time to clear what else stands on the same terminal.
  void before_writing(std::function<void()> hook) { before_writing_ = std::move(hook); }

  [[nodiscard]] Result<void> status() const;  // what has failed so far
  [[nodiscard]] Result<void> flush();

 private:
  void write_out(std::string_view text);
  void write_file(std::string_view text);
  void cut_last_line(std::string_view written);

  int fd_ = -1;
  std::string* out_ = nullptr;
  TextBuffer buffer_;
  std::function<void()> before_writing_;
  std::optional<Error> failed_;
};

}  // namespace pmjit
