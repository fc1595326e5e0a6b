#include "runtime/report/sink/fd_out.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace pmjit {

namespace {

constexpr int kAskEachMs = 50;  // how late it is noticed that `stop` wants to

mode_t kind_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

}  // namespace

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

}  // namespace pmjit
