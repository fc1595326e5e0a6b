#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

std::string descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return "too many open files";
  return fmt::format("too many open files: this process may have {}", limit.rlim_cur);
}

}  // namespace

Error no_answer_in_time(const std::string& to) {
  return Error(Fault::io, "no answer in time")
      .at("host", to)
      .pm_code(pm_err::E_TIMEOUT)
      .help(
          "is the host reachable, and its collector alive? PMCD_CONNECT_TIMEOUT and "
          "PMCD_REQUEST_TIMEOUT set how long pmjit waits");
}

Error socket_error(int error_number, const std::string& to) {
  const auto make = [&](Fault fault, std::string what, std::string help) {
    return Error(fault, std::move(what))
        .at("host", to)
        .pm_code(-error_number)
        .help(std::move(help));
  };
  switch (error_number) {
    case ECONNREFUSED:
      return make(Fault::io, "connection refused",
                  "is a collector (pmcd) running there, and on this port? PMCD_PORT or "
                  "HOST:PORT name another");
    case EPIPE:
    case ECONNRESET:
    case EBADF:
      return make(Fault::io, "the collector has closed the connection",
                  "it was stopped or restarted, or refuses this client")
          .pm_code(pm_err::E_IPC);
    case ENOENT:
      return make(Fault::not_found, "there is no such socket",
                  "is a collector (pmcd) running here? PMCD_SOCKET or unix:PATH name another");
    case EMFILE:
    case ENFILE:
      return make(Fault::limit, descriptor_limit(),
                  "every host needs one: raise the limit with ulimit -n");
    case EHOSTUNREACH:
    case ENETUNREACH:
      return make(Fault::io, "the host cannot be reached", "check the network and the address");
    default:
      return make(Fault::io, std::generic_category().message(error_number),
                  "the connection is lost");
  }
}

}  // namespace pmjit
