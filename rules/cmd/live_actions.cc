#include "rules/cmd/live_actions.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

namespace pmjit::pmie {

namespace {

constexpr const char* kTag = "pcp-pmie";

// As pmie has it: the system's own programs before all others.
std::string search_path() {
  return fmt::format("/usr/sbin:/sbin:/usr/bin:/bin:{}:{}:{}", installed("PCP_BIN_DIR", "/usr/bin"),
                     installed("PCP_BINADM_DIR", "/usr/lib/pcp/bin"),
                     installed("PCP_PLATFORM_PATHS", "/usr/bin/X11:/usr/local/bin"));
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

// Runs in the child; what it says is text that was made before.
[[noreturn]] void become(const std::string& program, std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(program.c_str(), arguments.data());
  ::_exit(127);
}

}  // namespace

std::optional<PmieOp> verb_named(std::string_view name) {
  for (const PmieOp verb :
       {PmieOp::print, PmieOp::shell, PmieOp::alarm, PmieOp::syslog, PmieOp::stomp}) {
    if (symbol_of(verb) == name) return verb;
  }
  return std::nullopt;
}

bool LiveActions::perform(const LiveAction& action, const std::string& when) {
  switch (action.verb) {
    case PmieOp::print:
      put_(fmt::format("{}: {}\n", when, action.text.value_or("(null)")));
      flush_();
      return true;
    case PmieOp::shell:
      // Of nothing nothing is run (Q19).
      return !action.text || run_shell(*action.text);
    case PmieOp::alarm: show_alarm(action, when); return true;
    case PmieOp::syslog:
      ::openlog(action.syslog_tag.empty() ? kTag : action.syslog_tag.c_str(), LOG_PID | LOG_CONS,
                LOG_DAEMON);
      ::syslog(action.syslog_priority.value_or(LOG_NOTICE), "%s", action.text.value_or("").c_str());
      ::closelog();
      return true;
    case PmieOp::stomp: return stomp_(action.text.value_or(""));
    default: return false;
  }
}

// In the child: what pcp.conf sets is in its environment.
pid_t LiveActions::fork_child() {
  flush_();
  if (!settings_) settings_ = installed_settings();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setsid();
  for (const auto& [name, value] : *settings_) ::setenv(name.c_str(), value.c_str(), 0);
  return 0;
}

bool LiveActions::run_shell(const std::string& command) {
  const std::string path = search_path();
  std::vector<std::string> words{"sh", "-c", command};
  const pid_t child = fork_child();
  if (child < 0) return false;
  if (child == 0) {
    if (to_stderr_) ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::setenv("PATH", path.c_str(), 1);
    ::setenv("IFS", "\t\n", 1);
    become("/bin/sh", words);
  }
  const int status = wait_for(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void LiveActions::reap() {
  for (auto& [of, shown] : alarms_) {
    if (shown > 0 && ::waitpid(shown, nullptr, WNOHANG) != 0) shown = 0;
  }
}

// One that is shown still is enough.
void LiveActions::show_alarm(const LiveAction& action, const std::string& when) {
  reap();
  pid_t& shown = alarms_[action.of];
  if (shown > 0) return;
  const std::string program = installed("PCP_XCONFIRM_PROG", "");
  std::vector<std::string> words{program.empty() ? "/bin/echo" : program,
                                 "-header",
                                 "Performance Co-Pilot Alarm",
                                 "-b",
                                 "Cancel",
                                 "-icon",
                                 "warning",
                                 "-t",
                                 when,
                                 "-t",
                                 action.text.value_or("")};
  shown = fork_child();
  if (shown != 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
  become(words.front(), words);
}

}  // namespace pmjit::pmie
