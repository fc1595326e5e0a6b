// What PCP's own programs ask of a library around their work: signals, files, who they are. Of the
// names that pmie links with, those that it calls over archives and hosts.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <string>

#include "runtime/pmapi/internal.h"

using namespace pmjit;

// Dumps of the stack are the debugger's.
void __pmDumpStackInit(void*) {}
void __pmDumpStack(FILE*) {}

int __pmSetSignalHandler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return ::sigaction(signal, &action, nullptr) == 0 ? 0 : -errno;
}

// The command line as one text, which the caller frees.
char* __pmGetClientId(int argc, char** argv) {
  return at_c_border_or<char*>(nullptr, [&] {
    std::string text;
    for (int i = 0; i < argc && argv != nullptr && argv[i] != nullptr; ++i) {
      if (i > 0) text += ' ';
      text += argv[i];
    }
    return give_text(text);
  });
}
// Not told to pmcd yet, as that of __pmSetClientIdArgv().
int __pmSetClientId(const char*) { return pmWhichContext() < 0 ? PM_ERR_NOCONTEXT : 0; }

// One that is absolute is returned as it is.
char* __pmAbsolutePath(char* path) {
  if (path == nullptr || *path == '/') return path;
  return at_c_border_or<char*>(path, [&] {
    char folder[PATH_MAX];
    if (::getcwd(folder, sizeof folder) == nullptr) return path;
    return give_text(fmt::format("{}/{}", folder, path));
  });
}

// What is said from now on goes to the file anew.
FILE* __pmRotateLog(const char* program, const char* path, FILE* old, int* status) {
  return pmOpenLog(program, path, old, status);
}

// A point in time as -O of tools has it.
int __pmParseTime(const char* text, struct timeval* log_start, struct timeval* log_end,
                  struct timeval* out, char** message) {
  if (text == nullptr || out == nullptr) return -EINVAL;
  struct timeval start, end;
  const int sts = pmParseTimeWindow(nullptr, nullptr, nullptr, text, log_start, log_end, &start,
                                    &end, out, message);
  return sts < 0 ? sts : 0;
}

void* __pmMemoryMap(int fd, size_t bytes, int writable) {
  const int protection = writable != 0 ? PROT_READ | PROT_WRITE : PROT_READ;
  const int kind = writable != 0 ? MAP_SHARED : MAP_PRIVATE;
  void* out = ::mmap(nullptr, bytes, protection, kind, fd, 0);
  return out == MAP_FAILED ? nullptr : out;
}

int __pmServerCreatePIDFile(const char* program, int) {
  if (program == nullptr) return -EINVAL;
  return at_c_border([&] {
    const char* folder = pmGetOptionalConfig("PCP_RUN_DIR");
    const std::string path = fmt::format("{}/{}.pid", folder == nullptr ? "" : folder, program);
    FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) return -errno;
    std::fprintf(file, "%d", static_cast<int>(::getpid()));
    return std::fclose(file) == 0 ? 0 : -errno;
  });
}

namespace {

// To whoever has started this process, if that wants to know (sd_notify(3)).
int tell_manager(const std::string& text) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || *path == '\0') return 0;
  sockaddr_un to = {};
  to.sun_family = AF_UNIX;
  const std::string_view name = path;
  if (name.size() >= sizeof to.sun_path) return -E2BIG;
  std::memcpy(to.sun_path, name.data(), name.size());
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  const ssize_t sent = ::sendto(fd, text.data(), text.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&to), bytes);
  const int sts = sent < 0 ? -errno : 1;
  ::close(fd);
  return sts;
}

}  // namespace

int __pmServerNotifyServiceManagerReady(pid_t pid) {
  return at_c_border([&] { return tell_manager(fmt::format("READY=1\nMAINPID={}", pid)); });
}
int __pmServerNotifyServiceManagerStopping(pid_t pid) {
  return at_c_border([&] { return tell_manager(fmt::format("STOPPING=1\nMAINPID={}", pid)); });
}
