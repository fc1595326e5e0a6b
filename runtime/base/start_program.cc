#include "runtime/base/start_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>

namespace pmjit {

namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

int start_program(const ProgramStart& start, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&how);
  if (start.in >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, start.in, STDIN_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  ::posix_spawn_file_actions_adddup2(&files, start.out >= 0 ? start.out : STDERR_FILENO,
                                     STDOUT_FILENO);
  if (start.error >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, start.error, STDERR_FILENO);
  }
  int first_closed = STDERR_FILENO + 1;
  if (start.also >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, start.also, ProgramStart::kAlso);
    first_closed = ProgramStart::kAlso + 1;
  }
  ::posix_spawn_file_actions_addclosefrom_np(&files, first_closed);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&how, &none);
  ::posix_spawnattr_setsigdefault(&how, &all);
  const int session = start.leads_session ? POSIX_SPAWN_SETSID : 0;
  ::posix_spawnattr_setflags(
      &how, static_cast<short>(session | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  const auto argv = pointers_to(start.argv);
  std::vector<char*> environment;
  if (start.environment != nullptr) environment = pointers_to(*start.environment);
  char** const variables = start.environment == nullptr ? environ : environment.data();
  pid_t started = 0;  // of a failure it may be anything
  const auto spawn = start.is_searched ? ::posix_spawnp : ::posix_spawn;
  const int failed = spawn(&started, argv[0], &files, &how, argv.data(), variables);
  if (failed == 0) process = started;
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  return failed;
}

}  // namespace pmjit
