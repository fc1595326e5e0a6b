#include "runtime/report/fd_out.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace pmjit {

namespace {

constexpr int kAskEachMs = 50;  // how late it is noticed that `stop` wants to

bool is_pipe(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

// Who waits in write() sees no signal that another thread took. Not to block is a property that a
// descriptor shares with all its copies, those of other processes among them; a pipe can be opened
// again instead. Where it cannot, it blocks.
FdOut::FdOut(int fd) : fd_(fd) {
  if (!is_pipe(fd)) return;
  own_ = ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

FdOut::~FdOut() {
  if (own_ >= 0) ::close(own_);
}

FdOut::Written FdOut::write(std::string_view bytes, const std::function<bool()>& stop) {
  const int fd = own_ >= 0 ? own_ : fd_;
  Written out;
  while (out.bytes < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + out.bytes, bytes.size() - out.bytes);
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

}  // namespace pmjit
