#include "rules/actions/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "runtime/base/start_program.h"

extern "C" char** environ;

namespace pmjit {

namespace {

constexpr auto kUntilKilled = std::chrono::seconds(5);
constexpr int kLookMs = 100;

// Both ends of a pipe; -1: closed.
struct ProgramPipe {
  int read = -1, write = -1;
  ProgramPipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~ProgramPipe() {
    close_end(read);
    close_end(write);
  }
  ProgramPipe(const ProgramPipe&) = delete;
  ProgramPipe& operator=(const ProgramPipe&) = delete;
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// A child that runs, and what it has still to be given and to say.
class RunningProgram {
 public:
  RunningProgram(const ProgramCall& call, const Clock& clock, ProgramPipe& in, ProgramPipe& out,
                 pid_t child)
      : call_(call), clock_(clock), in_(in), out_(out), child_(child) {}

  ProgramEnd finish() {
    const Instant limit = clock_.now() + call_.time;
    ProgramEnd end;
    std::optional<Instant> kills;
    int status = 0;
    for (;;) {
      exchange(end);
      const pid_t gone = ::waitpid(child_, &status, WNOHANG);
      if (gone == child_ || (gone < 0 && errno != EINTR)) break;
      const Instant now = clock_.now();
      if (!kills && (now >= limit || (call_.stop && call_.stop()))) {
        end.timed_out = true;
        ::kill(-child_, SIGTERM);
        kills = now + kUntilKilled;
      } else if (kills && now >= *kills) {
        ::kill(-child_, SIGKILL);
      }
    }
    exchange(end, 0);
    if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    return end;
  }

 private:
  // Gives what it takes, and takes what there is; waits a moment for either.
  void exchange(ProgramEnd& end, int wait_ms = kLookMs) {
    std::array<pollfd, 2> ready{{{.fd = in_.write, .events = POLLOUT, .revents = 0},
                                 {.fd = out_.read, .events = POLLIN, .revents = 0}}};
    if (in_.write >= 0 && given_ == call_.input.size()) ProgramPipe::close_end(in_.write);
    ready[0].fd = in_.write;
    // A child that has closed its output is looked for more often than every tenth of a second.
    const int patience = out_.read < 0 ? std::min(wait_ms, 5) : wait_ms;
    if (::poll(ready.data(), ready.size(), patience) <= 0) return;
    if (ready[0].revents != 0) give();
    if (ready[1].revents != 0) take(end);
  }
  void give() {
    const ssize_t bytes =
        ::write(in_.write, call_.input.data() + given_, call_.input.size() - given_);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (bytes < 0) return ProgramPipe::close_end(in_.write);
    given_ += static_cast<size_t>(bytes);
  }
  void take(ProgramEnd& end) {
    std::array<char, 4'096> room;
    const ssize_t bytes = ::read(out_.read, room.data(), room.size());
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (bytes <= 0) return ProgramPipe::close_end(out_.read);
    const size_t left = call_.output_most - std::min(call_.output_most, end.output.size());
    end.output.append(room.data(), std::min(static_cast<size_t>(bytes), left));
  }

  const ProgramCall& call_;
  const Clock& clock_;
  ProgramPipe &in_, &out_;
  pid_t child_;
  size_t given_ = 0;
};

}  // namespace

std::string ProgramEnd::text() const {
  if (!error.empty()) return error;
  if (timed_out) return "it took too long and was ended";
  if (signal != 0) return fmt::format("signal {} ended it", signal);
  return fmt::format("exit status {}", exit_code);
}

ProgramEnd run_program(const ProgramCall& call, const Clock& clock) {
  ProgramPipe in, out;
  if (in.read < 0 || out.read < 0) {
    return {.error = fmt::format("cannot start {}: {}", call.argv.front(), std::strerror(errno))};
  }
  for (const int end : {in.write, out.read}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  pid_t child = 0;
  const ProgramStart start{.argv = call.argv,
                           .in = in.read,
                           .out = out.write,
                           .error = out.write,
                           .environment = &call.environment,
                           .leads_session = true};
  if (const int code = start_program(start, child); code != 0) {
    return {.error = fmt::format("cannot start {}: {}", call.argv.front(), std::strerror(code))};
  }
  ProgramPipe::close_end(in.read);
  ProgramPipe::close_end(out.write);
  return RunningProgram(call, clock, in, out, child).finish();
}

std::vector<std::string> own_environment() {
  std::vector<std::string> out;
  for (char** at = environ; *at != nullptr; ++at) out.emplace_back(*at);
  return out;
}

}  // namespace pmjit
