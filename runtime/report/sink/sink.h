// Sink: where a writer's bytes go, through one large buffer. The first failure is kept: later bytes
// are dropped and flush() tells, so that output cut short by a full disk is never taken for whole.
// A file that could not take all of it is cut behind its last whole row. Whoever writes to a pipe
// ignores SIGPIPE; a closed pipe is then an ordinary error.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/report/sink/fd_out.h"
#include "runtime/report/sink/row_ends.h"
#include "runtime/report/text/text_buffer.h"

namespace pmjit {

class Sink {
 public:
  explicit Sink(int fd) { fd_.emplace(fd); }
  explicit Sink(std::string& out) : out_(&out) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // Where rows end in what is put from now on: lines if nobody says.
  void rows_end(RowEnds how) { row_ends_ = how; }

  void put(std::string_view text);
  // A page, which leaves at once; `whole`: where its last row ends, 0 where none does.
  void put_page(std::string_view page, size_t whole);
  // Bytes that are no lines: many of them go past the buffer.
  void put_block(std::string_view bytes);
  // What was put is whole, and leaves.
  void end_message();

  // Called before bytes leave the buffer: time to clear what else stands on the same terminal.
  void before_writing(std::function<void()> hook) { before_writing_ = std::move(hook); }
  // Asked while nobody takes the bytes. True: the row at hand is ended, if that takes no longer
  // than kGrace, and then the output has failed.
  void stop_when(std::function<bool()> asked, const Clock& clock) {
    stop_when_ = std::move(asked);
    clock_ = &clock;
  }
  static constexpr std::chrono::milliseconds kGrace{500};

  [[nodiscard]] Result<void> status() const;  // what has failed so far
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] bool stopped() const { return stopped_; }     // has it failed as stop_when wanted?
  [[nodiscard]] bool whole() const { return unended_ == 0; }  // does what is written end a row?

 private:
  void write_out(std::string_view text, size_t whole);
  void write_buffer(size_t bytes);
  void write_file(std::string_view text, size_t whole);
  size_t end_row(std::string_view text, size_t done);
  void add_written(size_t bytes, size_t whole);
  void cut_last_row();

  std::optional<FdOut> fd_;
  std::string* out_ = nullptr;
  TextBuffer buffer_;
  RowEnds row_ends_ = RowEnds::lines;
  size_t unended_ = 0;  // bytes written behind the last whole row
  std::function<void()> before_writing_;
  std::function<bool()> stop_when_;
  const Clock* clock_ = nullptr;  // of stop_when()
  bool stopped_ = false;
  std::optional<Error> failed_;
};

}  // namespace pmjit
