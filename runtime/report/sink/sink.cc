#include "runtime/report/sink/sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace pmjit {

namespace {

constexpr size_t kBufferBytes = 256u << 10;  // past this, larger writes are not faster
constexpr size_t kBlockBytes = 64u << 10;    // cheaper to write than to copy

constexpr int kAskEachMs = 50;  // how late it is noticed that `stop` wants to

mode_t kind_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

// A quote within quotes is two: it ends them and begins them again.
size_t csv_row_end(std::string_view text, size_t from) {
  bool quoted = false;
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return text.npos;
}

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

// Who waits in write() sees no signal that another thread took. Not to block is a property that a
// descriptor shares with all its copies, those of other processes among them; a pipe can be opened
// again instead, and a socket be told each time. Others block: files and terminals.
FdOut::FdOut(int fd) : fd_(fd), is_socket_(kind_of(fd) == S_IFSOCK) {
  if (kind_of(fd) != S_IFIFO) return;
  own_ = ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

FdOut::~FdOut() {
  if (own_ >= 0) ::close(own_);
}

FdOut::Written FdOut::write(std::string_view bytes, const std::function<bool()>& stop) {
  const int fd = own_ >= 0 ? own_ : fd_;
  Written out;
  while (out.bytes < bytes.size()) {
    const std::string_view rest = bytes.substr(out.bytes);
    const ssize_t wrote = is_socket_ ? ::send(fd, rest.data(), rest.size(), MSG_DONTWAIT)
                                     : ::write(fd, rest.data(), rest.size());
    if (wrote >= 0) {
      out.bytes += static_cast<size_t>(wrote);
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = fd, .events = POLLOUT, .revents = 0};
      if (::poll(&ready, 1, kAskEachMs) > 0) continue;
      out.gave_up = stop && stop();
      if (out.gave_up) return out;
    } else if (errno != EINTR) {
      out.error = errno;
      return out;
    }
  }
  return out;
}

size_t last_row_end(RowEnds how, std::string_view text) {
  switch (how) {
    case RowEnds::messages: return 0;
    case RowEnds::lines: return text.rfind('\n') + 1;  // npos + 1 is 0
    case RowEnds::csv: break;
  }
  size_t last = 0;
  for (size_t end = 0; end != text.npos; end = csv_row_end(text, last)) last = end;
  return last;
}

size_t row_end_behind(RowEnds how, std::string_view text, size_t at) {
  if (how == RowEnds::messages) return text.npos;
  if (how == RowEnds::lines) {
    const size_t newline = text.find('\n', at);
    return newline == text.npos ? newline : newline + 1;
  }
  size_t end = 0;
  while (end != text.npos && end <= at) end = csv_row_end(text, end);
  return end;
}

}  // namespace pmjit
