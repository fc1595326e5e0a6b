// LiveHosts: the hosts behind -h as the verbs read them: clients, feeds, and what is said of them.
// The network is the process's own; there is no thread beside the one that calls.
//
//   auto hosts = LiveHosts::open({"web1", "web2"}, clock);
//   if (!hosts) return complain(hosts.error().text());
//   const Compilation made = compile(input, (*hosts)->feeds().catalog(), options);
//
// A verb that opens hosts catches interrupts before that: one ends every wait soon.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rules/cmd/command.h"
#include "runtime/base/clock.h"
#include "runtime/client/host_fleet.h"
#include "runtime/client/net/network.h"
#include "runtime/client/outage_watch.h"
#include "runtime/text/window.h"

namespace pmjit {

// -h: hosts as PCP's tools take them.
[[nodiscard]] CommandOption host_option(std::vector<std::string>& hosts);

class LiveHosts {
 public:
  // In the order of `specs`, connected. An error says what is wrong with a specification, or that
  // no host can be reached. Warnings about the environment are said, and hosts that are away.
  [[nodiscard]] static Result<std::unique_ptr<LiveHosts>> open(
      const std::vector<std::string>& specs, const Clock& clock);

  [[nodiscard]] const Feeds& feeds() const { return *fleet_; }
  [[nodiscard]] size_t size() const { return fleet_->members().size(); }
  // As results name them.
  [[nodiscard]] std::vector<std::string> names() const;
  // Of the first one that was there at the start; empty: not known.
  [[nodiscard]] const std::string& timezone() const { return fleet_->lender().timezone; }
  // The first one that was named; for those who read one host alone.
  [[nodiscard]] HostClient& client() { return first().client; }
  [[nodiscard]] HostContext& context() { return first().context; }
  [[nodiscard]] const std::string& name() const { return fleet_->members().front()->name; }

  // Lets the network work until something has come, at most until `due`; shorter, so that an
  // interrupt is seen. Then says which hosts are down, and which are back: once for each.
  void wait(Stamp due);
  // Until then, unless `stop` says so before. False: it did.
  [[nodiscard]] bool wait_until(Stamp due, const std::function<bool()>& stop);
  // At the end: at how many times each host did not answer.
  void report_missed() const;

 private:
  LiveHosts(std::unique_ptr<Network> network, std::unique_ptr<HostFleet> fleet, const Clock& clock);
  [[nodiscard]] FleetMember& first() { return *fleet_->members().front(); }

  const Clock& clock_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<HostFleet> fleet_;
  std::vector<OutageWatch> watches_;  // of each host
};

// Says how many times were skipped, if there are any.
void warn_of_skipped(uint64_t skipped);
// Says at how many times the host did not answer, if there are any.
void warn_of_missed(const std::string& name, const HostTally& tally);

// Says that a host is down, why, and that it is back (null).
void note_host(const std::string& name, const Error* why_down);

// The times that are asked of a host: from now on, for a time that has gone is now as well, without
// end where none is given. A warning is said.
[[nodiscard]] Result<Window> live_window(const WindowSpec& spec, const Zone& zone,
                                         const Clock& clock);

}  // namespace pmjit
