// The real network: Boost.Asio behind the door of network.h.
//
//   const auto network = make_network(clock);
//   HostClient client(*network, spec, settings);
//
// One thread calls run_some() and everything else. There is no thread per host; names are looked up
// by further threads, which nobody waits for (resolver.h).
#pragma once

#include <memory>

#include "runtime/base/clock.h"
#include "runtime/client/net/network.h"
#include "runtime/client/net/resolver.h"

namespace pmjit {

// `clock` outlives it, and has its now() asked only: timers are the network's own.
[[nodiscard]] std::unique_ptr<Network> make_network(const Clock& clock);
// With a look-up of names of the caller's own: for tests.
[[nodiscard]] std::unique_ptr<Network> make_network_asking(const Clock& clock, NameLookUp look_up);

// What the system says of a socket, as an Error: its errno as the code, and for some what to do.
// `to` is the endpoint as text. For asio_network.cc and its tests.
[[nodiscard]] Error socket_error(int error_number, const std::string& to);
// A deadline has passed.
[[nodiscard]] Error no_answer_in_time(const std::string& to);

}  // namespace pmjit
