// Rules about their own host, compiled for many hosts: once per set of hosts whose metrics agree.
// What is compiled for the first host of a set is evaluated over all of them, in batches
// (runtime/sched/host_rows.h). Private to rules/strict.
//
//   const FleetBodies made = compile_bodies(set, fleet, options);
//   if (!made.errors.empty()) …
#pragma once

#include <memory>
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

struct FleetBodies {
  std::vector<FleetBody> bodies;
  std::vector<std::string> notes;  // where rules do not run, and why
  std::string errors;              // all that is to be said; empty: none
};

// `set` and `fleet` outlive it. A rule that no host has the metrics of is an error, as any other
// mistake; on a host that lacks some it does not run.
[[nodiscard]] FleetBodies compile_bodies(const RuleSet& set, const HostFleet& fleet,
                                         const TaskOptions& options);

}  // namespace pmjit::strict
