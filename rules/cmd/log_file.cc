#include "rules/cmd/pmie_session.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>

#include "rules/compat/value_report.h"
#include "runtime/text/zone.h"

namespace pmjit::pmie {

namespace {

std::string now_text(const Clock& clock) {
  return time_text(Zone().local(unix_seconds(clock.wall())));
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  (void)gethostname(host.data(), host.size() - 1);
  return host.data();
}

}  // namespace

LogFile::LogFile(const std::string& path, Messages& messages, const Clock& clock)
    : messages_(messages), clock_(clock) {
  messages.flush();
  const int fd = path == "-" ? STDERR_FILENO
                             : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0664);
  const std::string reason = std::strerror(errno);
  is_open_ = fd >= 0;
  if (is_open_ && fd != STDERR_FILENO) {
    (void)::dup2(fd, STDERR_FILENO);
    ::close(fd);
  }
  if (!is_open_) {
    messages.complain(fmt::format("cannot open log \"{}\" for writing : {}", path, reason));
  }
  messages.add(fmt::format("Log for {} on {} started {}\n\n", messages.program(), host_name(),
                           now_text(clock_)));
  if (!is_open_) {
    messages.complain(fmt::format("cannot find realpath for log {}: {}", path, reason));
  }
}

LogFile::~LogFile() {
  messages_.add(fmt::format("\nLog finished {}\n", now_text(clock_)));
  messages_.flush();
}

}  // namespace pmjit::pmie
