#include "rules/cmd/pmie_session.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

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

LogFile::LogFile(const std::string& path, const std::string& about, Messages& messages,
                 const Clock& clock)
    : path_(path), messages_(messages), clock_(clock) {
  messages.flush();
  const std::string reason = open("started");
  if (is_open_) {
    messages.add(about);
  } else {
    messages.complain(fmt::format("cannot find realpath for log {}: {}", path, reason));
  }
}

// Why it cannot be written, or nothing of use.
std::string LogFile::open(std::string_view what) {
  const int fd = path_ == "-"
                     ? STDERR_FILENO
                     : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0664);
  std::string reason = std::strerror(errno);
  is_open_ = fd >= 0;
  if (is_open_ && fd != STDERR_FILENO) {
    (void)::dup2(fd, STDERR_FILENO);
    ::close(fd);
  }
  if (!is_open_) {
    messages_.complain(fmt::format("cannot open log \"{}\" for writing : {}", path_, reason));
  }
  messages_.add(fmt::format("Log for {} on {} {} {}\n\n", messages_.program(), host_name(), what,
                            now_text(clock_)));
  return reason;
}

// What was renamed keeps what was told so far. Where no other can be opened it goes on there.
void LogFile::rotate(const std::string& about) {
  messages_.add(fmt::format("\nLog rotated {}\n", now_text(clock_)));
  messages_.flush();
  (void)open("rotated");
  messages_.add(about);
  is_open_ = true;
}

std::string LogFile::full_path() const {
  std::error_code unknown;
  const auto full = std::filesystem::canonical(path_, unknown);
  return unknown ? path_ : full.string();
}

LogFile::~LogFile() {
  messages_.add(fmt::format("\nLog finished {}\n", now_text(clock_)));
  messages_.flush();
}

}  // namespace pmjit::pmie
