// pmdaConnect: the channel is made, and the two say who they are. An agent speaks first. Source:
// spec collector-and-agents.md §2.2, wire-protocol.md §11.2.
#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/pmda/channel.h"

using namespace pmjit;

namespace {

constexpr mode_t kSocketMode = 0660;
constexpr int kWaiting = 5;

const char* agent_name(const pmdaExt& ext) { return ext.e_name == nullptr ? "" : ext.e_name; }

// An agent that cannot listen is of no use: its process ends, as with PCP's library.
[[noreturn]] void give_up(const pmdaExt& ext, const char* what, int error) {
  if (ext.e_io == pmdaUnix) {
    pmNotifyErr(LOG_CRIT, "__pmdaOpenUnix(%s): %s failed: %s",
                ext.e_sockname == nullptr ? "" : ext.e_sockname, what, std::strerror(error));
  } else {
    pmNotifyErr(LOG_CRIT, "__pmdaOpenSocket(%s,%d,%d): %s: %s",
                ext.e_sockname == nullptr ? "" : ext.e_sockname, ext.e_port,
                ext.e_io == pmdaIPv6 ? AF_INET6 : AF_INET, what, std::strerror(error));
  }
  std::exit(1);
}

// The one connection that pmcd makes.
void serve_one(pmdaExt& ext, int listening) {
  if (::listen(listening, kWaiting) < 0) give_up(ext, "listen", errno);
  int fd = -1;
  do {
    fd = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) give_up(ext, "accept", errno);
  ::close(listening);
  ext.e_infd = ext.e_outfd = fd;
}

int port_of(const pmdaExt& ext) {
  if (ext.e_port >= 0) return ext.e_port;
  const servent* service =
      ext.e_sockname == nullptr ? nullptr : getservbyname(ext.e_sockname, nullptr);
  if (service == nullptr) {
    pmNotifyErr(LOG_CRIT, "__pmdaOpenSocket: getservbyname(%s): no such service",
                ext.e_sockname == nullptr ? "" : ext.e_sockname);
    std::exit(1);
  }
  return ntohs(static_cast<uint16_t>(service->s_port));
}

const char* channel_name(pmdaIoType type) {
  switch (type) {
    case pmdaInet: return "inet connection";
    case pmdaIPv6: return "ipv6 connection";
    case pmdaUnix: return "unix connection";
    default: return "pipe to pmcd";
  }
}

void connect_internet(pmdaExt& ext, bool six) {
  const int fd = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) give_up(ext, "socket", errno);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const auto port = htons(static_cast<uint16_t>(port_of(ext)));
  int bound = -1;
  if (six) {
    sockaddr_in6 at{};
    at.sin6_family = AF_INET6;
    at.sin6_port = port;
    at.sin6_addr = in6addr_loopback;
    bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at);
  } else {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = port;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at);
  }
  if (bound < 0) give_up(ext, "bind", errno);
  serve_one(ext, fd);
  ::setsockopt(ext.e_infd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void connect_unix(pmdaExt& ext) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  const std::string_view path = ext.e_sockname == nullptr ? "" : ext.e_sockname;
  if (path.empty() || path.size() >= sizeof at.sun_path) give_up(ext, "bind()", ENAMETOOLONG);
  std::memcpy(at.sun_path, path.data(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) give_up(ext, "socket()", errno);
  ::unlink(at.sun_path);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) < 0) {
    give_up(ext, "bind()", errno);
  }
  // Without rights to it pmcd cannot connect, and says so.
  if (::chmod(at.sun_path, kSocketMode) < 0) give_up(ext, "chmod()", errno);
  char* user = nullptr;
  if (pmGetUsername(&user) >= 0 && user != nullptr) {
    if (const passwd* entry = ::getpwnam(user)) {
      [[maybe_unused]] const int owned = ::chown(at.sun_path, entry->pw_uid, entry->pw_gid);
    }
  }
  serve_one(ext, fd);
}

// 0, or why pmcd has not said who it is.
int exchange_versions(const pmdaInterface& agent, pmdaExt& ext) {
  const auto wishes = wire::FeatureSet::of_bits(static_cast<uint16_t>(agent.comm.flags));
  const wire::Pdu creds{.from = ::getpid(),
                        .body = wire::CredsMessage{{{.type = 1, .version = 2, .wishes = wishes}}}};
  if (const int status = send_pdu(ext, creds); status < 0) return status;
  const auto frame = read_pdu(ext);
  if (!frame) return frame.error().pm_code() == 0 ? PM_ERR_IPC : frame.error().pm_code();
  if (!*frame) return PM_ERR_EOF;
  const auto pdu = wire::decode((*frame)->bytes, kFromPmcd);
  if (!pdu) return PM_ERR_IPC;
  if (const auto* error = std::get_if<wire::ErrorMessage>(&pdu->body)) {
    return error->code < 0 ? error->code : PM_ERR_IPC;
  }
  if (std::holds_alternative<wire::CredsMessage>(pdu->body)) return 0;
  pmNotifyErr(LOG_CRIT,
              "__pmdaSetupPDU: PMDA %s: version exchange failure, got a PDU %s, not CREDS",
              agent_name(ext), wire::pdu_name((*frame)->header.code).c_str());
  return PM_ERR_IPC;
}

}  // namespace

void pmdaConnect(pmdaInterface* agent) {
  if (agent == nullptr) return;
  pmdaExt* const ext = ext_of(agent);
  if (state_of(ext) == nullptr || (ext->e_flags & PMDA_EXT_SETUPDONE) == 0) {
    pmNotifyErr(LOG_CRIT, "pmdaConnect: need to call pmdaDaemon() or pmdaDSO() first");
    agent->status = PM_ERR_GENERIC;
    return;
  }
  if ((ext->e_flags & PMDA_EXT_CONNECTED) != 0) {
    pmNotifyErr(LOG_CRIT, "pmdaConnect: called more than once");
    agent->status = PM_ERR_GENERIC;
    return;
  }
  ::signal(SIGPIPE, SIG_IGN);
  switch (ext->e_io) {
    case pmdaPipe:
    case pmdaUnknown:
      ext->e_io = pmdaPipe;
      ext->e_infd = STDIN_FILENO;
      ext->e_outfd = STDOUT_FILENO;
      break;
    case pmdaInet: connect_internet(*ext, false); break;
    case pmdaIPv6: connect_internet(*ext, true); break;
    case pmdaUnix: connect_unix(*ext); break;
  }
  if (pmDebugOptions.libpmda != 0) {
    pmNotifyErr(LOG_DEBUG, "pmdaConnect: PMDA %s: opened %s, infd = %d, outfd = %d",
                agent_name(*ext), channel_name(ext->e_io), ext->e_infd, ext->e_outfd);
  }
  const int status = at_c_border([&] { return exchange_versions(*agent, *ext); });
  if (status < 0) {
    pmNotifyErr(LOG_CRIT, "__pmdaSetupPDU: PMDA %s getting creds: %s", agent_name(*ext),
                ErrorText(status).text);
    agent->status = status;
    return;
  }
  ext->e_flags |= PMDA_EXT_CONNECTED;
}

void pmdaSendError(pmdaInterface* agent, int code) {
  const pmdaExt* ext = ext_of(agent);
  if (ext == nullptr || ext->e_outfd < 0) return;
  const int status = at_c_border([&] { return send_code(*ext, code); });
  if (status < 0) {
    pmNotifyErr(LOG_ERR, "pmdaSendError: PMDA %s: %s", agent_name(*ext), ErrorText(status).text);
  }
}

int __pmdaInFd(pmdaInterface* agent) {
  if (agent != nullptr && is_interface(agent->comm.pmda_interface) && ext_of(agent) != nullptr) {
    return ext_of(agent)->e_infd;
  }
  pmNotifyErr(LOG_CRIT, "__pmdaInFd: PMDA interface version %u not supported",
              agent == nullptr ? 0 : unsigned{agent->comm.pmda_interface});
  return -1;
}
