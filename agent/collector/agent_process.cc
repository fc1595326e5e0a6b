#include "agent/collector/agent_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

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

void AgentPipe::widen() const { (void)::fcntl(read, F_SETPIPE_SZ, kWideBytes); }

void AgentPipe::close_all() {
  for (int* const end : {&read, &write}) {
    if (*end >= 0) ::close(std::exchange(*end, -1));
  }
}

int spawn_agent(const std::vector<std::string>& command, int in, int out, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&how);
  if (in >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  ::posix_spawn_file_actions_adddup2(&files, out >= 0 ? out : STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&how, &none);
  ::posix_spawnattr_setsigdefault(&how, &all);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t started = 0;  // of a failure it may be anything
  const int error = ::posix_spawnp(&started, arguments[0], &files, &how, arguments.data(), environ);
  if (error == 0) process = started;
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  return error;
}

}  // namespace pmjit
