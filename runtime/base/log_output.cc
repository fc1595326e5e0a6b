#include "runtime/base/log_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace pmjit {

LogOutput::LogOutput(LostLine lost_line, int standard)
    : lost_line_(std::move(lost_line)), standard_(standard) {
  use_standard();
}

int LogOutput::open(const std::string& path) {
  // Without O_NONBLOCK a pipe with a name would wait for its reader.
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0) return errno;
  close();
  fd_ = fd;
  is_own_ = true;
  way_ = Way::plain;
  return 0;
}

// O_NONBLOCK would be for all who have the descriptor from the same parent. Opened anew it is ours
// alone; who may not do that asks whether there is room, and others can take it meanwhile.
void LogOutput::use_standard() {
  close();
  fd_ = standard_;
  way_ = Way::plain;
  struct stat info{};
  if (::fstat(fd_, &info) != 0) return;
  if (S_ISSOCK(info.st_mode)) way_ = Way::as_socket;
  if (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)) return;
  const int own = ::open(fmt::format("/proc/self/fd/{}", fd_).c_str(),
                         O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  is_own_ = own >= 0;
  if (is_own_) fd_ = own;
  if (!is_own_) way_ = Way::asks_first;
}

void LogOutput::close() {
  if (fd_ >= 0) (void)settled();
  if (is_own_) ::close(fd_);
  fd_ = -1;
  is_own_ = false;
  rest_.clear();
}

void LogOutput::write(std::string_view line) {
  if (!settled() || !take(line)) ++lost_;
}

// True: nothing of before is left to be written.
bool LogOutput::settled() {
  if (!rest_.empty()) {
    const std::string rest = rest_;
    if (!take(rest) || !rest_.empty()) return false;
  }
  if (lost_ == 0) return true;
  if (!take(lost_line_(lost_))) return false;
  lost_ = 0;
  return rest_.empty();
}

// False: nothing of it is out.
bool LogOutput::take(std::string_view text) {
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t bytes = write_some(left);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    left.remove_prefix(static_cast<size_t>(bytes));
  }
  if (left.size() == text.size()) return false;
  rest_ = left;
  return true;
}

ssize_t LogOutput::write_some(std::string_view text) const {
  if (way_ == Way::as_socket) {
    return ::send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  if (way_ == Way::plain) return ::write(fd_, text.data(), text.size());
  pollfd room{.fd = fd_, .events = POLLOUT, .revents = 0};
  if (const int ready = ::poll(&room, 1, 0); ready <= 0) return ready;
  return ::write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
}

}  // namespace pmjit
