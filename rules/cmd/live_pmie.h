// LivePmie: the hosts of the drop-in pmie and the time that goes by: what `-h`, or nothing, means.
// Source: spec rules-language.md §15, §16.
//
//   LivePmie live(host, names, derived, clock, tell);
//   RuleReader reader(live.sources(), messages, options);
//   live.stop_when(stop);
//   while (live.wait_until(*run.due())) …
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rules/compat/host_sources.h"
#include "runtime/base/clock.h"
#include "runtime/client/net/network.h"
#include "runtime/model/stamp.h"

namespace pmjit::pmie {

class LivePmie {
 public:
  // `names`: of -n; null: those of the hosts. All outlive it.
  LivePmie(const std::string& host, std::shared_ptr<const NameSpace> names, DerivedMetrics& derived,
           const Clock& clock, std::function<void(const HostChange&)> tell);
  LivePmie(const LivePmie&) = delete;
  LivePmie& operator=(const LivePmie&) = delete;

  [[nodiscard]] HostSources& sources() { return sources_; }
  // What rules mean that name no host, as it was given.
  [[nodiscard]] const std::string& host() const { return host_; }
  // Of the environment.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  [[nodiscard]] const ClientSettings& settings() const { return settings_; }
  [[nodiscard]] Network& network() { return *network_; }

  [[nodiscard]] Stamp stamp() const;
  [[nodiscard]] double now() const;  // seconds
  // Whatever waits, for hosts or for a time, asks it often and ends soon after it says so.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }
  // The network works meanwhile. False: it must stop before.
  [[nodiscard]] bool wait_until(double due);

 private:
  const Clock& clock_;
  const std::string host_;
  std::function<bool()> stop_ = [] { return false; };
  std::vector<std::string> warnings_;
  const ClientSettings settings_;  // ask this
  std::unique_ptr<Network> network_;
  HostSources sources_;
};

// A host that cannot be reached, in pmie's words: "pmcd via H does not respond".
[[nodiscard]] std::string unreachable_text(const HostChange& change);

}  // namespace pmjit::pmie
