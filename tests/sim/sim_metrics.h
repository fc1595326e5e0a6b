// What simulated hosts measure: which metrics there are, and what each value is. A value is a
// function of host, metric, instance and step, so whoever knows the stamp of a fetch knows its
// values; README.md has the formulas, tests/sim/sim_client.py has them in Python.
//
//   const std::vector<SimMetric> metrics = sim_metrics({.metrics = 100, .instanced = 10});
//   const uint64_t bits = sim_bits(metrics[3], {.host = 7, .step = step_at(wall)}, 12);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/model/agent.h"
#include "runtime/base/clock.h"

namespace pmjit::test {

// `instanced` of the metrics have the instances of one domain, the others are singular.
struct SimShape {
  uint32_t metrics = 100, instanced = 10, instances = 50;
};

// Families of metrics; each comes again after the eighth metric. Every other one changes.
enum class SimFamily : uint8_t { count, limit, level, offset, bytes, ratio, ticks, share };
inline constexpr uint32_t kSimFamilies = 8;

inline constexpr uint32_t kSimDomain = 240;
inline constexpr InDomId kSimDisks = make_indom(kSimDomain, 0);

struct SimMetric {
  std::string name;  // sim.single.count0, sim.disks.level1
  Desc desc;
  SimFamily family;
  uint32_t number;  // among all metrics

  [[nodiscard]] bool singular() const { return desc.indom == kNullId; }
};

// Singular ones first; metrics of a shape have identifiers in their order.
[[nodiscard]] std::vector<SimMetric> sim_metrics(const SimShape& shape);
[[nodiscard]] constexpr PmId sim_pmid(uint32_t number) { return make_pmid(kSimDomain, 0, number); }

// Steps are whole seconds since 1970, each from half a second before to half a second behind, so
// fetches at whole seconds have room on both sides.
[[nodiscard]] int64_t step_at(WallTime when);

// Where and when a fetch comes in. The domain of a host has the instances `first_instance` and so
// on, as many as the shape says.
struct SimMoment {
  uint32_t host = 0;
  int32_t first_instance = 0;
  int64_t step = 0;
};

// The value, in the lower bits those of the metric's own type. `instance`: 0 for a singular metric.
[[nodiscard]] uint64_t sim_bits(const SimMetric& metric, const SimMoment& at, uint32_t instance);

[[nodiscard]] std::string sim_host_name(uint32_t host);         // sim00042
[[nodiscard]] std::string sim_instance_name(int32_t instance);  // disk7

}  // namespace pmjit::test
