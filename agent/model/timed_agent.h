// TimedAgent: an agent whose calls have a deadline. A thread of its own makes them, one after the
// other; a client that asks waits for a while, and then is answered without it. Who can wait
// without standing still begins a fetch, and asks for it when it has come or its time is over.
//
//   TimedAgent linux(std::make_shared<LinuxAgent>());
//   CollectorCore core(clock, {&pmcd, &linux}, state);      // one Agent among others
//
// A call that is late gives PM_ERR_TIMEOUT, which pmcd gives then. Until that call returns the
// agent is not ready, and whatever is asked of it gives PM_ERR_AGAIN at once: nobody waits a second
// time. Then it is asked again, as before. Names, descriptors and texts need no call and are always
// there.
//
// What a late call still writes to belongs to it, so it may return at any time, or never. A thread
// that hangs keeps its agent alive, and does not hold up the end of the program.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "agent/model/agent.h"

namespace pmjit {

class TimedAgent final : public Agent {
 public:
  // File systems, and those in memory, have a second each within it (linux/mount_rooms.h).
  static constexpr std::chrono::milliseconds kPatience{3'000};

  explicit TimedAgent(std::shared_ptr<Agent> agent, std::chrono::milliseconds patience = kPatience);
  TimedAgent(const TimedAgent&) = delete;
  TimedAgent& operator=(const TimedAgent&) = delete;
  ~TimedAgent() override;  // does not wait for a call that hangs

  [[nodiscard]] std::string_view name() const override { return agent_->name(); }
  [[nodiscard]] uint32_t domain() const override { return agent_->domain(); }
  [[nodiscard]] bool ready() const override;
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return agent_->metrics(); }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return agent_->indoms(); }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker) override;
  // None where they are late.
  [[nodiscard]] std::vector<std::vector<AgentLabel>> instance_labels(
      InDomId indom, std::span<const AgentInstance> instances) override;
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] bool begin_fetch(std::span<const uint32_t> which, const AgentAsker& asker) override;
  [[nodiscard]] bool begin_instances(InDomId indom, const AgentAsker& asker) override;
  [[nodiscard]] bool fetches(const AgentAsker& asker) const override;
  void when_fetched(std::function<void()> call) override;
  void forget(const AgentAsker& asker) override {
    begun_.erase(asker.client);
    begun_instances_.erase(asker.client);
  }
  [[nodiscard]] std::chrono::milliseconds patience() const override { return patience_; }
  [[nodiscard]] bool takes_stores() const override { return agent_->takes_stores(); }
  [[nodiscard]] bool knows_containers() const override { return agent_->knows_containers(); }
  [[nodiscard]] int store_refusal() const override { return agent_->store_refusal(); }
  [[nodiscard]] int store(uint32_t which, std::span<const StoredItem> items,
                          const AgentAsker& asker) override;
  [[nodiscard]] uint32_t take_changes() override;
  [[nodiscard]] std::vector<std::string> take_notes() override;

 private:
  struct Call;    // in the queue of the thread, or done
  struct Shared;  // with the thread
  // A fetch of one asker: what it asks for, and what comes of it.
  struct BegunFetch {
    std::vector<uint32_t> which;
    std::shared_ptr<std::vector<AgentValues>> columns;
    std::shared_ptr<Call> call;
  };
  struct BegunInstances {
    InDomId indom = kNullId;
    std::shared_ptr<OrPmError<std::vector<AgentInstance>>> answer;
    std::shared_ptr<Call> call;
  };
  // Null: the agent is not ready. `run` may outlive the caller, so it owns all that it uses.
  [[nodiscard]] std::shared_ptr<Call> begin(std::function<void(Agent&)> run);
  // 0, or why the call has not come to its end.
  [[nodiscard]] int wait_for(Call* call);
  [[nodiscard]] int end_late(Call& call);
  [[nodiscard]] int run(std::function<void(Agent&)> call) {
    return wait_for(begin(std::move(call)).get());
  }
  [[nodiscard]] BegunFetch begun(std::span<const uint32_t> which, const AgentAsker& asker);
  [[nodiscard]] BegunInstances begun(InDomId indom, const AgentAsker& asker);

  std::shared_ptr<Agent> agent_;
  std::shared_ptr<Shared> shared_;
  std::chrono::milliseconds patience_;
  std::map<uint32_t, BegunFetch> begun_;  // by client
  std::map<uint32_t, BegunInstances> begun_instances_;
};

}  // namespace pmjit
