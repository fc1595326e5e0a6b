// Rules about their own host, compiled for many hosts: once per set of hosts whose metrics agree.
// What is compiled for the first host of a set is evaluated over all of them, in batches
// (runtime/sched/host_rows.h). Private to rules/strict.
//
//   const FleetBodies made = compile_bodies(set, fleet, options);
//   if (!made.errors.empty()) …
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rules/strict/task.h"
#include "runtime/client/host_fleet.h"
#include "runtime/sched/host_rows.h"

namespace pmjit::strict {

// The rules of one interval that run on a set of hosts.
struct BodyTask {
  TaskRules rules;
  std::shared_ptr<const CompiledTask> compiled;
};

struct FleetBody {
  std::vector<uint32_t> hosts;  // members of the fleet
  std::vector<BodyTask> tasks;
  std::vector<std::unique_ptr<HostRows>> batches;  // all of the hosts
};

// A rule that does not run on a host, whose metrics are not there; none: it is about all hosts.
struct LackingRule {
  size_t rule = 0;  // of RuleSet::rules
  std::optional<uint32_t> host{};
  friend bool operator==(const LackingRule&, const LackingRule&) = default;
};

// Of a member of the fleet: metrics that rules were looked for there, and that it does not have.
using AbsentMetrics = std::map<uint32_t, std::set<std::string, std::less<>>>;

struct FleetBodies {
  std::vector<FleetBody> bodies;
  std::vector<LackingRule> lacking;
  AbsentMetrics absent;            // where rules do not run
  std::vector<std::string> notes;  // where rules do not run, and why
  std::string errors;              // all that is to be said; empty: none
};

// `set` and `fleet` outlive it. A rule that no host has the metrics of is an error, as any other
// mistake, or left out (TaskOptions); on a host that lacks some it does not run.
[[nodiscard]] FleetBodies compile_bodies(const RuleSet& set, const HostFleet& fleet,
                                         const TaskOptions& options);

}  // namespace pmjit::strict
