// The addresses that a collector listens on, as users write them: what is wrong with them is told
// before anything listens, and why one of them cannot be listened on.
//
//   if (auto fine = check_listen_addresses({"192.0.2.7", "fe80::1%eth0"}); !fine) return fine;
//   if (bind(…) != 0) return fail(listen_error(errno, "192.0.2.7", 44321));
//
// No sockets here: collector_server.cc has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

// Numbers, each once, none within another (0.0.0.0 has all of IPv4, :: all of IPv6), a link-local
// one with its interface. The error names the address and says what to type instead.
[[nodiscard]] Result<void> check_listen_addresses(std::span<const std::string> addresses);

// Why a well-formed address cannot be listened on; `code` is an errno. `port` 0: the system was to
// choose one, so no number is known.
[[nodiscard]] Error listen_error(int code, const std::string& address, uint16_t port);

// Why the log file cannot be opened, with what to do about it.
[[nodiscard]] Error log_file_error(int code, const std::string& path);

}  // namespace pmjit
