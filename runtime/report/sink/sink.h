// Sink: where a writer's bytes go, through one large buffer. The first failure is kept: later bytes
// are dropped and flush() tells, so that output cut short by a full disk is never taken for whole.
// A file that could not take all of it is cut behind its last whole row. Whoever writes to a pipe
// ignores SIGPIPE; a closed pipe is then an ordinary error.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/clock.h"
#include "runtime/base/result.h"

namespace pmjit {

// TextBuffer: text that grows at its end; its memory is kept for the next.
class TextBuffer {
 public:
  // At least `bytes` of room; write there, then advance() to the end of what was written.
  char* room(size_t bytes) {
    if (capacity_ - size_ < bytes) grow(bytes);
    return bytes_.get() + size_;
  }
  void advance(const char* end) { size_ = static_cast<size_t>(end - bytes_.get()); }
  void put(std::string_view text) {
    char* at = room(text.size());
    std::memcpy(at, text.data(), text.size());
    advance(at + text.size());
  }
  [[nodiscard]] std::string_view text() const { return {bytes_.get(), size_}; }
  [[nodiscard]] size_t size() const { return size_; }
  void clear() { size_ = 0; }
  // Memory beyond `most` bytes is not kept.
  void clear(size_t most) {
    size_ = 0;
    if (capacity_ <= most) return;
    bytes_.reset();
    capacity_ = 0;
  }
  // Takes what stands before the last `count` bytes away.
  void keep_last(size_t count) {
    std::memmove(bytes_.get(), bytes_.get() + size_ - count, count);
    size_ = count;
  }

 private:
  void grow(size_t bytes) {
    const size_t capacity = std::max(2 * capacity_, size_ + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

// Where rows end in text, so that what is cut short ends with a whole one.
enum class RowEnds : uint8_t {
  lines,     // at each line feed
  csv,       // at each line feed that is in no quotes
  messages,  // where whoever writes them says
};

// Both of text that begins outside of quotes. Where the last row in it ends; 0: none does.
size_t last_row_end(RowEnds how, std::string_view text);
// Where the first row ends that does so behind `at`; npos: none does.
size_t row_end_behind(RowEnds how, std::string_view text, size_t at);

// FdOut: bytes to a descriptor that may not be ready for them: a pipe whose reader is slow, a
// descriptor that does not block. It waits, and gives up when it is asked to.
class FdOut {
 public:
  explicit FdOut(int fd);
  ~FdOut();
  FdOut(const FdOut&) = delete;
  FdOut& operator=(const FdOut&) = delete;

  struct Written {
    size_t bytes = 0;
    int error = 0;         // an errno; 0: none
    bool gave_up = false;  // before all was written, as `stop` wanted
  };
  // `stop` is asked whenever nobody takes the bytes; it may be empty.
  Written write(std::string_view bytes, const std::function<bool()>& stop);

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
  bool is_socket_;
  int own_ = -1;  // the same pipe, opened again so that it does not block
};

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
  static constexpr std::chrono::milliseconds kGrace{100};

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
