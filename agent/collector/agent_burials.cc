#include "agent/collector/agent_burials.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <boost/asio.hpp>
#include <csignal>
#include <utility>

namespace pmjit {

namespace {

namespace asio = boost::asio;

// From the end of its channel until its exit status is asked for, until the log does without one,
// until it is killed, and then until it has ended.
constexpr auto kExitGrace = std::chrono::milliseconds(10),
               kBuryStep = std::chrono::milliseconds(50),
               kKilledStep = std::chrono::milliseconds(1'000);
constexpr int kExitTries = 4, kBuryTries = 20;
// Steps of kExitGrace: at the end of the collector, until agents are killed, and then until it
// ends.
constexpr int kStopSteps = 15, kKilledSteps = 50;

}  // namespace

struct AgentBurials::Burial {
  asio::steady_timer timer;
  std::string line;  // for the log, until it is there
  pid_t process;
  Ended ended;
  int tries = 0;

  void note_exit(int status) {
    int bits = 0;
    if (WIFEXITED(status)) {
      line += fmt::format(", exit({})", WEXITSTATUS(status));
      bits = WEXITSTATUS(status) << 8;
    }
    if (WIFSIGNALED(status)) {
      line += fmt::format(", signal({})", WTERMSIG(status));
      if (WCOREDUMP(status)) line += ", dumped core";
      bits = WTERMSIG(status) << 16;
    }
    ended(bits);
  }
};

AgentBurials::AgentBurials(asio::io_context& io, CollectorLog log)
    : io_(io), log_(std::move(log)) {}

AgentBurials::~AgentBurials() = default;

void AgentBurials::bury(pid_t process, const std::string& line, Ended ended) {
  const auto burial = std::make_shared<Burial>(Burial{.timer = asio::steady_timer(io_, kExitGrace),
                                                      .line = line,
                                                      .process = process,
                                                      .ended = std::move(ended)});
  burials_.insert(burial);
  look_after(burial);
}

void AgentBurials::look_after(const std::shared_ptr<Burial>& burial) {
  burial->timer.async_wait([this, burial](const boost::system::error_code& error) {
    if (error) return;
    int status = 0;
    const pid_t found = ::waitpid(burial->process, &status, WNOHANG);
    const bool ended = found != 0;  // or it is no child of ours any more
    if (found == burial->process && !burial->line.empty()) burial->note_exit(status);
    const bool said = ended || burial->tries == kExitTries;
    if (said && !burial->line.empty()) log_(std::exchange(burial->line, ""));
    if (ended) return void(burials_.erase(burial));
    // Until it has ended: else it would stay as a zombie. A disk that is stuck holds it for long.
    if (burial->tries++ == kBuryTries) ::kill(burial->process, SIGKILL);
    burial->timer.expires_after(burial->tries > 2 * kBuryTries ? kKilledStep : kBuryStep);
    look_after(burial);
  });
}

void AgentBurials::end_all(std::vector<pid_t> others) {
  for (const auto& burial : burials_) {
    if (!burial->line.empty()) log_(burial->line);
    others.push_back(burial->process);
  }
  const auto wait_for_all = [&](int steps) {
    for (; steps > 0 && !others.empty(); --steps) {
      std::erase_if(others,
                    [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
      if (!others.empty()) asio::steady_timer(io_, kExitGrace).wait();  // nobody is served any more
    }
  };
  wait_for_all(kStopSteps);
  for (const pid_t process : others) ::kill(process, SIGKILL);
  // Not for ever: one may be another user's by now, or hang in the kernel.
  wait_for_all(kKilledSteps);
}

}  // namespace pmjit
