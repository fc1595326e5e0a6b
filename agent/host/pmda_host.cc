// pmjit-pmda-host: a process around an agent that is a shared object, so that one that crashes or
// hangs is no matter of the collector. The drop-in pmcd starts it for a dso line of pmcd.conf:
//
//   pmjit-pmda-host LABEL DOMAIN ENTRY PATH [USER [MEMORY]]
//
// It opens the object, calls ENTRY as pmcd does, and says over its standard output what came of it:
// a TEXT PDU with what is wrong, or an ERROR PDU with the version of the interface. Then the agent
// is one over a pipe, and the library that it was linked with answers. MEMORY is a descriptor:
// large answers are left there (left_answers.h). Source: spec collector-and-agents.md §2.6.
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "agent/host/left_answers.h"
#include "agent/interface/agent_object.h"

using namespace pmjit;

namespace {

constexpr uint32_t kErrorPdu = 0x7000, kTextPdu = 0x7009;
// What an agent sees before it has said which version of the PMAPI it has.
constexpr unsigned kNoPmapi = 0xff & ~PMAPI_VERSION_2;

struct HostedAgent {
  std::string label, entry, path, user;
  int domain = 0;
  int memory = -1;  // a descriptor; below 0: there is none
};

// ---- the channel

// pmcd's ends of it, where nothing that an agent prints gets in.
struct PmcdChannel {
  int in = -1, out = -1;
};

void put_word(std::string& out, uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 0xff);
}

// A PDU; false: pmcd has gone.
bool tell(const PmcdChannel& channel, uint32_t type, const std::string& body) {
  std::string pdu;
  put_word(pdu, static_cast<uint32_t>(12 + body.size()));
  put_word(pdu, type);
  put_word(pdu, static_cast<uint32_t>(::getpid()));
  pdu += body;
  for (size_t at = 0; at < pdu.size();) {
    const ssize_t sent = ::write(channel.out, pdu.data() + at, pdu.size() - at);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += static_cast<size_t>(sent);
  }
  return true;
}

[[noreturn]] void give_up(const PmcdChannel& channel, const std::string& why) {
  std::string body;
  put_word(body, UINT32_MAX);  // about nothing
  put_word(body, static_cast<uint32_t>(why.size()));
  body += why;
  body.resize((body.size() + 3) / 4 * 4, '~');
  (void)tell(channel, kTextPdu, body);
  std::exit(1);
}

// Standard input has nothing, and what is printed goes to the log, as in pmcd itself.
void detach_standard() {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::close(nothing);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

PmcdChannel take_channel() {
  const PmcdChannel out{.in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
                        .out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
  detach_standard();
  return out;
}

// ---- the object

// Of an installed pmjit: for objects whose own way to the library leads nowhere.
void open_our_library() {
  char own[4096];
  const ssize_t bytes = ::readlink("/proc/self/exe", own, sizeof own);
  if (bytes <= 0) return;
  const std::string_view program(own, static_cast<size_t>(bytes));
  open_agent_library(std::string(program.substr(0, program.rfind('/'))));
}

void* open_object(const HostedAgent& agent, const PmcdChannel& channel) {
  const std::array places{agent.path, agent.path + ".so"};
  OpenedObject object = open_agent_object(places);
  const std::string why = object.why;
  if (why.find(kAgentLibrary) != std::string::npos) {
    open_our_library();
    object = open_agent_object(places);
  }
  if (object.fault == AgentFault::not_found) {
    give_up(channel, "Cannot find " + agent.label + " DSO at \"" + agent.path + "\"");
  }
  if (object.fault != AgentFault::none) {
    give_up(channel, "Error attaching " + agent.label + " DSO at \"" + agent.path + "\"\n" + why);
  }
  return object.handle;
}

// A function of the object, or of what it was linked with; null: there is none.
template <class Function>
Function function_of(void* object, const char* name) {
  return reinterpret_cast<Function>(::dlsym(object, name));
}
#define LIBRARY_FUNCTION(object, name) function_of<decltype(&(name))>(object, #name)

std::string error_text(void* object, int code) {
  const auto text_of = LIBRARY_FUNCTION(object, pmErrStr_r);
  char out[PM_MAXERRMSGLEN] = "";
  if (text_of != nullptr) return text_of(code, out, sizeof out);
  return std::to_string(code);
}

// What pmcd says of the fault.
std::string fault_text(void* object, const HostedAgent& agent, const pmdaInterface& dispatch,
                       AgentFault fault) {
  const std::string failed =
      "Initialization routine " + agent.entry + " in " + agent.label + " DSO failed: ";
  switch (fault) {
    case AgentFault::no_entry:
      return "Couldn't find init function `" + agent.entry + "' in " + agent.label +
             " DSO: " + loader_error();
    case AgentFault::failed: return failed + error_text(object, dispatch.status);
    case AgentFault::other_interface:
      return "Unknown PMDA interface version (" + std::to_string(dispatch.comm.pmda_interface) +
             ") used by DSO " + agent.label;
    case AgentFault::other_pmapi:
      return "Unsupported PMAPI version (" + std::to_string(dispatch.comm.pmapi_version) +
             ") used by DSO " + agent.label;
    case AgentFault::not_set_up: return failed + "it has not called pmdaDSO()";
    default: return {};
  }
}

void initialize(void* object, const HostedAgent& agent, const PmcdChannel& channel,
                pmdaInterface& dispatch) {
  const auto call_program = LIBRARY_FUNCTION(object, pmSetProgname);
  if (call_program != nullptr) call_program(agent.label.c_str());
  dispatch.domain = agent.domain;
  dispatch.comm.pmapi_version = kNoPmapi;
  const AgentFault fault = set_up_agent(object, agent.entry, dispatch);
  if (fault != AgentFault::none) give_up(channel, fault_text(object, agent, dispatch, fault));
}

// The user as whom pmcd serves; it starts agents as root.
void change_user(const std::string& user) {
  if (user.empty() || ::geteuid() != 0) return;
  const passwd* const found = ::getpwnam(user.c_str());
  const bool changed = found != nullptr && ::initgroups(user.c_str(), found->pw_gid) == 0 &&
                       ::setgid(found->pw_gid) == 0 && ::setuid(found->pw_uid) == 0;
  if (!changed) std::fprintf(stderr, "Warning: cannot become the user %s\n", user.c_str());
}

// Answers pmcd until it closes the channel.
int serve(void* object, const HostedAgent& agent, const PmcdChannel& channel,
          pmdaInterface& dispatch) {
  const auto connect = LIBRARY_FUNCTION(object, pmdaConnect);
  const auto answer = LIBRARY_FUNCTION(object, pmdaMain);
  if (connect == nullptr || answer == nullptr) {
    give_up(channel, "Error attaching " + agent.label + " DSO at \"" + agent.path +
                         "\"\nit is not linked with " + kAgentLibrary);
  }
  std::string body;
  put_word(body, dispatch.comm.pmda_interface);
  if (!tell(channel, kErrorPdu, body)) return 1;
  // The library greets over standard input and output.
  std::fflush(stdout);
  ::dup2(channel.in, STDIN_FILENO);
  ::dup2(channel.out, STDOUT_FILENO);
  connect(&dispatch);
  detach_standard();
  if (dispatch.status != 0) return 1;
  dispatch.version.any.ext->e_infd = channel.in;
  dispatch.version.any.ext->e_outfd = channel.out;
  answer(&dispatch);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs(
        "pmjit-pmda-host: pmjit's pmcd starts this program for a dso line of pmcd.conf\n"
        "Usage: pmjit-pmda-host LABEL DOMAIN ENTRY PATH [USER [MEMORY]]\n",
        stderr);
    return 2;
  }
  // The object may keep addresses of both until the very end.
  static const HostedAgent agent{.label = argv[1],
                                 .entry = argv[3],
                                 .path = argv[4],
                                 .user = argc > 5 ? argv[5] : "",
                                 .domain = std::atoi(argv[2]),
                                 .memory = argc > 6 ? std::atoi(argv[6]) : -1};
  static pmdaInterface dispatch{};
  std::signal(SIGPIPE, SIG_IGN);
  const PmcdChannel channel = take_channel();
  if (agent.memory >= 0) leave_answers_in(agent.memory);
  void* const object = open_object(agent, channel);
  initialize(object, agent, channel, dispatch);
  leave_answers_of(dispatch);
  change_user(agent.user);
  return serve(object, agent, channel, dispatch);
}
