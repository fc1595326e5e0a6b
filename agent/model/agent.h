// Agent: the metrics of one domain, written in C++ and served by our collector in its own process.
// An agent says what metrics there are, and fills a column for each metric that is asked for.
//
//   class Uptime final : public Agent { … };      // agent/linux/linux_agent.h is a whole one
//   CollectorCore core(clock, {&pmcd, &linux});   // who asks it
//
// An agent never sees PDUs, profiles or names it does not have: the collector finds the metric,
// leaves out instances that the client did not ask for, and answers for whatever is unknown. All
// calls of an agent come from one thread, one after the other. An agent that reads files may hang
// in one, so it is served through a TimedAgent (timed_agent.h), which answers for it when it is
// late.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/model/agent_values.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

[[nodiscard]] constexpr PmId make_pmid(uint32_t domain, uint32_t cluster, uint32_t item) {
  return domain << 22 | cluster << 10 | item;
}
[[nodiscard]] constexpr InDomId make_indom(uint32_t domain, uint32_t serial) {
  return domain << 22 | serial;
}

// A name and a value in JSON: {"cpu", "0"}, {"interface", "\"eth0\""}.
struct AgentLabel {
  std::string name, value;
  bool optional = false;  // may be left out where labels identify a time series
  bool of_file = false;   // of a label file, which pmcd marks
};
[[nodiscard]] std::string json_string(std::string_view text);  // with its quotes

struct AgentMetric {
  std::string name;
  Desc desc;
  std::string text;  // one line
  std::string help;  // more of it; empty: there is no more
  std::vector<AgentLabel> labels{};
};

struct AgentInDom {
  InDomId id;
  std::string text;
  std::vector<AgentLabel> labels{};
};

struct AgentInstance {
  int32_t id;
  std::string name;
};

// Which client asks, and who it is as far as the system vouches for it: a peer of a unix socket.
struct AgentAsker {
  uint32_t client = 0;  // number of its connection, from 1
  std::optional<uint32_t> user_id{}, group_id{}, process_id{};
  int32_t slot = 0;         // what agents of other processes know it by; small, used again
  std::string user_name{};  // that it has logged in with
  std::string container{};  // whose values it asks for; empty: the machine's
};

// A value that a client wants to store. `type` is what came with it, PM_TYPE_*; 32-bit numbers that
// stood in place are u32.
struct StoredItem {
  int32_t instance = kSingular;
  int type = 0;
  uint64_t bits = 0;      // of numbers
  std::string_view text;  // of strings, up to the first NUL
};

class Agent {
 public:
  virtual ~Agent() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual uint32_t domain() const = 0;

  // False: it does not answer now, and whatever is asked of it gives PM_ERR_AGAIN.
  [[nodiscard]] virtual bool ready() const { return true; }

  // Both stay as they are while the collector runs, their order too.
  [[nodiscard]] virtual std::span<const AgentMetric> metrics() const = 0;
  [[nodiscard]] virtual std::span<const AgentInDom> indoms() const = 0;
  // Those that there are now; `indom` is one of indoms().
  [[nodiscard]] virtual OrPmError<std::vector<AgentInstance>> instances(
      InDomId indom, const AgentAsker& asker) = 0;
  // Of each instance that instances() has just found.
  [[nodiscard]] virtual std::vector<std::vector<AgentLabel>> instance_labels(
      InDomId indom, std::span<const AgentInstance> instances) {
    (void)indom;
    return std::vector<std::vector<AgentLabel>>(instances.size());
  }

  // Fills out[i] for metrics()[which[i]]; no metric is in `which` twice. Columns are started, with
  // no value in them.
  virtual void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                     std::span<AgentValues* const> out) = 0;
  // Of an agent with a thread of its own (timed_agent.h), so that nobody has to wait in fetch():
  // begins a fetch of the same, and says whether it is under way. Then fetch() waits no more.
  [[nodiscard]] virtual bool begin_fetch(std::span<const uint32_t> which, const AgentAsker& asker) {
    (void)which, (void)asker;
    return false;
  }
  // The same of instances().
  [[nodiscard]] virtual bool begin_instances(InDomId indom, const AgentAsker& asker) {
    (void)indom, (void)asker;
    return false;
  }
  // What that asker has begun is under way still.
  [[nodiscard]] virtual bool fetches(const AgentAsker& asker) const {
    (void)asker;
    return false;
  }
  // Called by any thread whenever what was begun comes to its end; null: by none any more.
  virtual void when_fetched(std::function<void()> call) { (void)call; }
  // That asker has gone.
  virtual void forget(const AgentAsker& asker) { (void)asker; }
  // How long an asker waits for what was begun.
  [[nodiscard]] virtual std::chrono::milliseconds patience() const { return {}; }
  // False: none of its metrics can be stored, so that nobody has to ask it.
  [[nodiscard]] virtual bool takes_stores() const { return true; }
  // Who asks for a container has that one's values, or there are none for containers alone.
  [[nodiscard]] virtual bool knows_containers() const { return true; }
  // What a store of a metric gets that cannot be stored, or that there is not.
  [[nodiscard]] virtual int store_refusal() const { return pm_err::E_PERMISSION; }
  // 0, or why nothing was stored.
  [[nodiscard]] virtual int store(uint32_t which, std::span<const StoredItem> items,
                                  const AgentAsker& asker) {
    (void)which, (void)items, (void)asker;
    return store_refusal();
  }
  // StateChange bits of what the last fetch has found to be new: labels, names.
  [[nodiscard]] virtual uint32_t take_changes() { return 0; }
  // Lines for the collector's log, of what the last calls have met; each once.
  [[nodiscard]] virtual std::vector<std::string> take_notes() { return {}; }

 protected:
  Agent() = default;
  Agent(const Agent&) = default;
  Agent& operator=(const Agent&) = default;
};

}  // namespace pmjit
