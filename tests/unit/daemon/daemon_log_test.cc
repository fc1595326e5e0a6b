// The daemon's log where nobody reads it: no thread waits, and what is lost is counted.
#include "rules/daemon/daemon_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace pmjit {
namespace {

// Standard error is a pipe meanwhile.
class PipedErrors {
 public:
  PipedErrors() : before_(::dup(STDERR_FILENO)) {
    (void)::pipe2(ends_.data(), O_CLOEXEC);
    (void)::dup2(ends_[1], STDERR_FILENO);
    (void)::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~PipedErrors() {
    (void)::dup2(before_, STDERR_FILENO);
    for (const int fd : {before_, ends_[0], ends_[1]}) ::close(fd);
  }
  PipedErrors(const PipedErrors&) = delete;
  PipedErrors& operator=(const PipedErrors&) = delete;

  [[nodiscard]] std::string read() const {
    std::string out;
    std::array<char, 4'096> room{};
    for (ssize_t got = 0; (got = ::read(ends_[0], room.data(), room.size())) > 0;) {
      out.append(room.data(), static_cast<size_t>(got));
    }
    return out;
  }

 private:
  int before_;
  std::array<int, 2> ends_{};
};

TEST(DaemonLogTest, NobodyWaitsForAReader) {
  for (const LogFormat format : {LogFormat::logfmt, LogFormat::json}) {
    const PipedErrors errors;
    const FakeClock clock;
    DaemonLog log(clock);
    ASSERT_TRUE(log.change({.file = "-", .level = LogLevel::info, .format = format}));
    for (int i = 0; i < 5'000; ++i) log.write(LogLevel::info, "host is down", {{"host", "web1"}});
    EXPECT_TRUE(errors.read().ends_with("\n"));
    log.write(LogLevel::info, "host is back", {{"host", "web1"}});
    const std::string then = errors.read();
    const std::string_view lost = format == LogFormat::json ? R"("lines":")" : "lines=";
    EXPECT_NE(then.find("lines of this log are lost: there was no room for them"),
              std::string::npos)
        << then;
    EXPECT_NE(then.find(lost), std::string::npos) << then;
    EXPECT_NE(then.find("host is back"), std::string::npos) << then;
  }
}

TEST(DaemonLogTest, TheHelpOfAnErrorFollowsInItsLine) {
  const PipedErrors errors;
  const FakeClock clock;
  DaemonLog log(clock);
  ASSERT_TRUE(log.change({.file = "-", .level = LogLevel::info, .format = LogFormat::logfmt}));
  const Error why = Error(Fault::io, "connection refused").help("is pmcd there?");
  log.write(LogLevel::warn, "host is down", {{"reason", why.text()}});
  EXPECT_TRUE(errors.read().ends_with(" reason=\"connection refused; is pmcd there?\"\n"));
}

}  // namespace
}  // namespace pmjit
