#include "tests/sim/sim_metrics.h"

#include <fmt/core.h>

#include <bit>

namespace pmjit::test {

namespace {

struct FamilyRow {
  std::string_view name;
  int type;
  Semantics semantics;
  Units units;
};
constexpr Units kCounts{.dim_count = 1}, kBytes{.dim_space = 1};
constexpr FamilyRow kFamilies[kSimFamilies] = {
    {"count", pm_type::u64, Semantics::counter, kCounts},
    {"limit", pm_type::u64, Semantics::discrete, {}},
    {"level", pm_type::f64, Semantics::instant, {}},
    {"offset", pm_type::i64, Semantics::instant, {}},
    {"bytes", pm_type::u64, Semantics::counter, kBytes},
    {"ratio", pm_type::f64, Semantics::instant, {}},
    {"ticks", pm_type::u32, Semantics::counter, kCounts},
    {"share", pm_type::f32, Semantics::discrete, {}},
};

// The `index`-th of the singular or of the instanced metrics.
SimMetric sim_metric(uint32_t number, uint32_t index, bool singular) {
  const FamilyRow& row = kFamilies[index % kSimFamilies];
  return {.name = fmt::format("sim.{}.{}{}", singular ? "single" : "disks", row.name,
                              index / kSimFamilies),
          .desc = {.pmid = sim_pmid(number),
                   .pm_type = row.type,
                   .indom = singular ? kNullId : kSimDisks,
                   .semantics = row.semantics,
                   .units = row.units},
          .family = static_cast<SimFamily>(index % kSimFamilies),
          .number = number};
}

}  // namespace

std::vector<SimMetric> sim_metrics(const SimShape& shape) {
  std::vector<SimMetric> out;
  const uint32_t singular = shape.metrics - shape.instanced;
  for (uint32_t i = 0; i < singular; ++i) out.push_back(sim_metric(i, i, true));
  for (uint32_t i = 0; i < shape.instanced; ++i) out.push_back(sim_metric(singular + i, i, false));
  return out;
}

int64_t step_at(WallTime when) { return unix_seconds(when + std::chrono::milliseconds(500)); }

uint64_t sim_bits(const SimMetric& metric, const SimMoment& at, uint32_t instance) {
  const uint64_t base = uint64_t{at.host} * 1'000'000 + uint64_t{metric.number} * 1'000 + instance;
  const uint64_t rate = 1 + (metric.number + instance) % 16;
  const auto step = static_cast<uint64_t>(at.step);
  switch (metric.family) {
    case SimFamily::count: return base + rate * step;
    case SimFamily::limit: return base;
    case SimFamily::level:
      return std::bit_cast<uint64_t>(static_cast<double>((step + at.host + instance) % 60) / 2);
    case SimFamily::offset: return uint64_t{0} - base;
    case SimFamily::bytes: return 1024 * (base + rate * step);
    case SimFamily::ratio: return std::bit_cast<uint64_t>(static_cast<double>(base) / 8);
    case SimFamily::ticks: return static_cast<uint32_t>(base + rate * step);
    case SimFamily::share: return std::bit_cast<uint32_t>(static_cast<float>(base % 1'000) / 8);
  }
  return 0;
}

std::string sim_host_name(uint32_t host) { return fmt::format("sim{:05}", host); }
std::string sim_instance_name(int32_t instance) { return fmt::format("disk{}", instance); }

}  // namespace pmjit::test
