// LiveHost: a host as the verbs read it: its client, its feeds, and what it says of itself. The
// network is the process's own; there is no thread beside the one that calls.
//
//   auto host = LiveHost::open({"web1"}, clock);
//   if (!host) return complain(host.error().text());
//   const Compilation made = compile(input, (*host)->feeds().catalog(), options);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rules/cmd/command.h"
#include "runtime/base/clock.h"
#include "runtime/client/host_context.h"
#include "runtime/client/host_feed.h"
#include "runtime/client/net/network.h"
#include "runtime/text/window.h"

namespace pmjit {

// -h: hosts as PCP's tools take them.
[[nodiscard]] CommandOption host_option(std::vector<std::string>& hosts);

class LiveHost {
 public:
  // The one host of `hosts`, connected. An error says what is wrong with the specification or the
  // connection, or that there are several hosts; warnings about the environment are said.
  [[nodiscard]] static Result<std::unique_ptr<LiveHost>> open(const std::vector<std::string>& hosts,
                                                              const Clock& clock);

  [[nodiscard]] HostClient& client() { return client_; }
  [[nodiscard]] HostFeeds& feeds() { return feeds_; }
  [[nodiscard]] const std::string& name() const { return name_; }          // as it calls itself
  [[nodiscard]] const std::string& timezone() const { return timezone_; }  // empty: not known

  // Lets the network work until something has come, at most until `due`; shorter, so that an
  // interrupt is seen.
  void wait(Stamp due);
  // Until then, unless `stop` says so before. False: it did.
  [[nodiscard]] bool wait_until(Stamp due, const std::function<bool()>& stop);
  // Says that the host is down, and that it is back: once for each. Feeds of it do so in wait().
  void report_state(bool down);

 private:
  LiveHost(std::unique_ptr<Network> network, HostSpec spec, const ClientSettings& settings,
           const Clock& clock);
  // The value of a metric that is one text; empty: there is none.
  [[nodiscard]] std::string text_of(std::string_view metric);

  const Clock& clock_;
  std::unique_ptr<Network> network_;
  HostClient client_;
  HostContext context_;
  HostFeeds feeds_;
  std::string name_, timezone_;
  bool down_ = false;  // as it was said last
};

// The times that are asked of a host: from now on, for a time that has gone is now as well, without
// end where none is given. A warning is said.
[[nodiscard]] Result<Window> live_window(const WindowSpec& spec, const Zone& zone,
                                         const Clock& clock);

}  // namespace pmjit
