#include "tests/sim/sim_agent.h"

#include <bit>

namespace pmjit::test {

namespace {

// sim_bits() as an agent gives a value: a column takes whole numbers or doubles.
void add_value(const SimMetric& metric, const SimMoment& at, uint32_t index, int32_t instance,
               AgentValues& out) {
  const uint64_t bits = sim_bits(metric, at, index);
  switch (metric.desc.pm_type) {
    case pm_type::f64: return out.add_number(instance, std::bit_cast<double>(bits));
    case pm_type::f32:
      return out.add_number(instance,
                            static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
    default: return out.add_whole(instance, bits);
  }
}

}  // namespace

SimAgent::SimAgent(const SimShape& shape, SimMomentOf moment_of)
    : shape_(shape), moment_of_(std::move(moment_of)), metrics_(test::sim_metrics(shape)) {
  for (const SimMetric& metric : metrics_) {
    rows_.push_back(
        {.name = metric.name, .desc = metric.desc, .text = "a simulated metric", .help = ""});
  }
  indoms_ = {{.id = kSimDisks, .text = "simulated disks"}};
}

OrPmError<std::vector<AgentInstance>> SimAgent::instances(InDomId, const AgentAsker& asker) {
  const int32_t first = moment_of_(asker.client).first_instance;
  std::vector<AgentInstance> out;
  for (int32_t i = 0; i < static_cast<int32_t>(shape_.instances); ++i) {
    out.push_back({first + i, sim_instance_name(first + i)});
  }
  return out;
}

void SimAgent::fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                     std::span<AgentValues* const> out) {
  const SimMoment at = moment_of_(asker.client);
  for (size_t i = 0; i < which.size(); ++i) {
    const SimMetric& metric = metrics_[which[i]];
    if (metric.singular()) {
      add_value(metric, at, 0, kSingular, *out[i]);
      continue;
    }
    for (uint32_t k = 0; k < shape_.instances; ++k) {
      const int32_t instance = at.first_instance + static_cast<int32_t>(k);
      add_value(metric, at, static_cast<uint32_t>(instance), instance, *out[i]);
    }
  }
}

void SimPmcd::fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                    std::span<AgentValues* const> out) {
  inner_.fetch(which, asker, out);
  for (size_t i = 0; i < which.size(); ++i) {
    if (metrics()[which[i]].name != "pmcd.hostname") continue;
    out[i]->start(out[i]->desc());
    out[i]->add_text(kSingular, sim_host_name(moment_of_(asker.client).host));
  }
}

}  // namespace pmjit::test
