#include "runtime/report/sink.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pmjit {

namespace {
constexpr size_t kBufferBytes = 256u << 10;  // past this, larger writes are not faster
constexpr size_t kBlockBytes = 64u << 10;    // cheaper to write than to copy
}  // namespace

// Whole lines leave the buffer, so that a progress bar never stands within one.
void Sink::put(std::string_view text) {
  buffer_.put(text);
  if (buffer_.size() < kBufferBytes) return;
  const size_t newline = buffer_.text().rfind('\n');
  const size_t whole = newline == std::string_view::npos ? buffer_.size() : newline + 1;
  write_out(buffer_.text().substr(0, whole));
  buffer_.keep_last(buffer_.size() - whole);
}

void Sink::put_lines(std::string_view lines) {
  write_out(buffer_.text());
  buffer_.clear();
  write_out(lines);
}

void Sink::put_block(std::string_view bytes) {
  if (bytes.size() < kBlockBytes) return put(bytes);
  put_lines(bytes);
}

Result<void> Sink::status() const {
  if (failed_) return fail(*failed_);
  return {};
}

Result<void> Sink::flush() {
  put_lines({});
  return status();
}

void Sink::write_out(std::string_view text) {
  if (text.empty()) return;
  if (before_writing_) before_writing_();
  if (out_ != nullptr) {
    out_->append(text);
  } else if (!failed_) {
    write_file(text);
  }
}

void Sink::write_file(std::string_view text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(fd_, text.data() + done, text.size() - done);
    if (wrote >= 0) {
      done += static_cast<size_t>(wrote);
    } else if (errno != EINTR) {
      failed_ =
          Error(Fault::io, "cannot write the output: " + std::generic_category().message(errno));
      return cut_last_line(text.substr(0, done));
    }
  }
}

// Of a file; what cannot be cut (a pipe, a terminal) stays as it is.
void Sink::cut_last_line(std::string_view written) {
  const size_t newline = written.rfind('\n');
  const auto half = static_cast<off_t>(
      newline == std::string_view::npos ? written.size() : written.size() - newline - 1);
  const off_t end = ::lseek(fd_, 0, SEEK_CUR);
  if (half == 0 || end < half) return;
  if (::ftruncate(fd_, end - half) == 0) ::lseek(fd_, end - half, SEEK_SET);
}

}  // namespace pmjit
