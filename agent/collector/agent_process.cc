#include "agent/collector/agent_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "runtime/base/start_program.h"

namespace pmjit {

namespace {

// What the kernel allows everybody (pipe-max-size).
constexpr int kWideBytes = 1 << 20;

}  // namespace

int AgentPipe::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  read = ends[0], write = ends[1];
  return 0;
}

int AgentPipe::open_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return errno;
  read = ends[0], write = ends[1];
  ::shutdown(read, SHUT_WR);
  ::shutdown(write, SHUT_RD);
  (void)::setsockopt(write, SOL_SOCKET, SO_SNDBUF, &kWideBytes, sizeof kWideBytes);
  return 0;
}

void AgentPipe::widen() const { (void)::fcntl(read, F_SETPIPE_SZ, kWideBytes); }

void AgentPipe::close_all() {
  for (int* const end : {&read, &write}) {
    if (*end >= 0) ::close(std::exchange(*end, -1));
  }
}

int spawn_agent(const std::vector<std::string>& command, int in, int out, pid_t& process) {
  return start_program({.argv = command, .is_searched = true, .in = in, .out = out}, process);
}

}  // namespace pmjit
