// A collector whose process has an agent of ours with many values, for tests/shown/collector_cost:
// what a fetch costs where no other process is asked.
//
//   many_values PORT COUNT        serves metric 250.0.0 until it is ended
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "agent/collector/collector_server.h"
#include "agent/model/agent.h"

namespace {

using namespace pmjit;

constexpr uint32_t kDomain = 250;

class ManyAgent final : public Agent {
 public:
  explicit ManyAgent(int32_t count) : count_(count) {}
  std::string_view name() const override { return "many"; }
  uint32_t domain() const override { return kDomain; }
  std::span<const AgentMetric> metrics() const override { return metrics_; }
  std::span<const AgentInDom> indoms() const override { return indoms_; }
  OrPmError<std::vector<AgentInstance>> instances(InDomId, const AgentAsker&) override {
    std::vector<AgentInstance> out;
    for (int32_t i = 0; i < count_; ++i) out.push_back({.id = i, .name = fmt::format("i-{}", i)});
    return out;
  }
  // Other values each time.
  void fetch(std::span<const uint32_t> which, const AgentAsker&,
             std::span<AgentValues* const> out) override {
    ++fetches_;
    for (size_t k = 0; k < which.size(); ++k) {
      for (int32_t i = 0; i < count_; ++i) {
        out[k]->add_whole(i, static_cast<uint32_t>(i) + fetches_);
      }
    }
  }

 private:
  int32_t count_;
  uint32_t fetches_ = 0;
  const std::vector<AgentInDom> indoms_{{.id = make_indom(kDomain, 0), .text = "many"}};
  const std::vector<AgentMetric> metrics_{{.name = "many.values",
                                           .desc = {.pmid = make_pmid(kDomain, 0, 0),
                                                    .pm_type = pm_type::u32,
                                                    .indom = make_indom(kDomain, 0),
                                                    .semantics = Semantics::instant},
                                           .text = "many values",
                                           .help = ""}};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const SystemClock clock;
  ManyAgent many(std::atoi(argv[2]));
  CollectorState state;
  CollectorCore core(clock, {&many}, state);
  CollectorServer server(
      core, {.port = static_cast<uint16_t>(std::atoi(argv[1]))},
      [](std::string_view line) { fmt::print(stderr, "many_values: {}\n", line); });
  if (const auto listening = server.listen(); !listening) {
    fmt::print(stderr, "many_values: {}\n", listening.error().text());
    return 1;
  }
  server.run();
  return 0;
}
