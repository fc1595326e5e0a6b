#include "rules/cmd/pmie_daemon.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "runtime/base/installed.h"

namespace pmjit::pmie {

Daemon::~Daemon() {
  if (!pid_file_.empty()) ::unlink(pid_file_.c_str());
}

bool Daemon::change_user(const Log& log) const {
  const std::string& user = options_.user;
  errno = 0;
  const passwd* const found = ::getpwnam(user.c_str());
  if (found == nullptr) {
    log("Critical", fmt::format("cannot find the {} user to switch to{}", user,
                                errno != 0 ? fmt::format(": {}", std::strerror(errno)) : ""));
    return false;
  }
  if (::geteuid() == found->pw_uid && ::getegid() == found->pw_gid) return true;
  if (::setgid(found->pw_gid) != 0) {
    log("Critical", fmt::format("setgid to gid of {} user (gid={}): {}", user, found->pw_gid,
                                std::strerror(errno)));
    return false;
  }
  // The groups of who started it are not its own.
  if (::initgroups(user.c_str(), found->pw_gid) != 0) {
    log("Critical", fmt::format("initgroups with gid of {} user (gid={}): {}", user, found->pw_gid,
                                std::strerror(errno)));
    return false;
  }
  if (::setuid(found->pw_uid) != 0) {
    log("Critical", fmt::format("setuid to uid of {} user (uid={}): {}", user, found->pw_uid,
                                std::strerror(errno)));
    return false;
  }
  return true;
}

void Daemon::settle() {
  if (options_.own_session) ::setsid();
  if (!options_.primary) return;
  const std::string path = installed("PCP_RUN_DIR", "/run/pcp") + "/pmie.pid";
  ::unlink(path.c_str());
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  const std::string pid = fmt::format("{}", ::getpid());
  // Where it cannot be written pmie says nothing either.
  if (fd < 0) return;
  (void)!::write(fd, pid.data(), pid.size());
  ::close(fd);
  pid_file_ = path;
}

// As sd_notify(3) has it.
void Daemon::notify(std::string_view state) {
  const char* const name = std::getenv("NOTIFY_SOCKET");
  if (name == nullptr || (name[0] != '/' && name[0] != '@')) return;
  sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
  const size_t length = std::min(std::strlen(name), sizeof to.sun_path - 1);
  std::memcpy(to.sun_path, name, length);
  if (name[0] == '@') to.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  (void)::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&to),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  ::close(fd);
}

}  // namespace pmjit::pmie
