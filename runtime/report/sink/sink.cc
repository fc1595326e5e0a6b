#include "runtime/report/sink/sink.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace pmjit {

namespace {
constexpr size_t kBufferBytes = 256u << 10;  // past this, larger writes are not faster
constexpr size_t kBlockBytes = 64u << 10;    // cheaper to write than to copy
}  // namespace

// Whole rows leave the buffer, so that a progress bar never stands within one.
void Sink::put(std::string_view text) {
  buffer_.put(text);
  if (buffer_.size() < kBufferBytes) return;
  const size_t whole = last_row_end(row_ends_, buffer_.text());
  write_buffer(whole == 0 ? buffer_.size() : whole);
}

void Sink::put_page(std::string_view page, size_t whole) {
  write_buffer(buffer_.size());
  write_out(page, whole);
}

void Sink::put_block(std::string_view bytes) {
  if (bytes.size() < kBlockBytes) return put(bytes);
  write_buffer(buffer_.size());
  write_out(bytes, last_row_end(row_ends_, bytes));
}

void Sink::end_message() {
  write_buffer(buffer_.size());
  if (!failed_) unended_ = 0;
}

Result<void> Sink::status() const {
  if (failed_) return fail(*failed_);
  return {};
}

Result<void> Sink::flush() {
  write_buffer(buffer_.size());
  return status();
}

// The first `bytes` of it.
void Sink::write_buffer(size_t bytes) {
  const std::string_view text = buffer_.text().substr(0, bytes);
  write_out(text, last_row_end(row_ends_, text));
  if (bytes == buffer_.size()) return buffer_.clear();
  buffer_.keep_last(buffer_.size() - bytes);
}

void Sink::write_out(std::string_view text, size_t whole) {
  if (text.empty()) return;
  if (before_writing_) before_writing_();
  if (out_ != nullptr) {
    out_->append(text);
  } else if (!failed_) {
    write_file(text, whole);
  }
}

void Sink::write_file(std::string_view text, size_t whole) {
  FdOut::Written written = fd_->write(text, stop_when_);
  if (written.gave_up) written.bytes = end_row(text, written.bytes);
  const bool all = written.bytes == text.size();
  add_written(written.bytes, all ? whole : last_row_end(row_ends_, text.substr(0, written.bytes)));
  if (stopped_) {
    failed_ = Error(Fault::io, "nobody takes the output");
  } else if (written.error != 0) {
    failed_ = Error(Fault::io,
                    "cannot write the output: " + std::generic_category().message(written.error));
  }
  if (failed_) cut_last_row();
}

// Of a row that is under way at `done` the rest, to a reader that may be there after all. Where the
// row goes on behind the text, so does the output, as long as it is taken. Returns the bytes that
// are written then.
size_t Sink::end_row(std::string_view text, size_t done) {
  const size_t before = last_row_end(row_ends_, text.substr(0, done));
  const bool at_end = done == 0 ? unended_ == 0 : before == done;
  const size_t behind = at_end ? done : row_end_behind(row_ends_, text, done);
  const std::string_view rest = text.substr(0, behind).substr(done);
  const Instant until = clock_->now() + kGrace;
  const auto late = [&] { return clock_->now() >= until; };
  const size_t wrote = fd_->write(rest, late).bytes;
  stopped_ = behind != text.npos || wrote < rest.size();
  return done + wrote;
}

void Sink::add_written(size_t bytes, size_t whole) {
  unended_ = whole == 0 ? unended_ + bytes : bytes - whole;
}

// Of a file; what cannot be cut (a pipe, a terminal) stays as it is.
void Sink::cut_last_row() {
  const auto half = static_cast<off_t>(unended_);
  const off_t end = ::lseek(fd_->fd(), 0, SEEK_CUR);
  if (half == 0 || end < half) return;
  if (::ftruncate(fd_->fd(), end - half) != 0) return;
  ::lseek(fd_->fd(), end - half, SEEK_SET);
  unended_ = 0;
}

}  // namespace pmjit
