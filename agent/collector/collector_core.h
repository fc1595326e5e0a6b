// CollectorCore: the agents behind one door: which of them knows a metric, what it says of it, and
// a fetch over all of them. It knows no connection and no state of a client but what is passed in.
//
//   CollectorCore core(clock, {&pmcd, &linux}, state);
//   auto desc = core.describe(pmid);                      // or the PM_ERR_* that pmcd gives
//   tail = core.fetch({.pmids = pmids, .profile = &profile, …}, calls, out);  // the PDU of the
//   result
//
// Codes for what is unknown are those of pmcd, which differ by request: spec wire-protocol.md §7.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/collector/event_trace.h"
#include "agent/collector/label_sets.h"
#include "agent/collector/logins.h"
#include "agent/collector/name_space_tree.h"
#include "agent/collector/remote_agent.h"
#include "agent/model/agent.h"
#include "agent/model/collector_state.h"
#include "runtime/base/byte_writer.h"
#include "runtime/base/clock.h"
#include "runtime/model/fetched_values.h"
#include "runtime/wire/messages.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

// A client's profile, in both forms.
struct KeptProfile {
  wire::ProfileMessage message{};             // instances of each domain are sorted
  std::shared_ptr<const SentProfile> sent{};  // for agents that are processes
};

struct CollectorFetch {
  std::span<const PmId> pmids;
  int32_t context;
  const KeptProfile* profile;
  const AgentAsker& asker;
  bool highres = false;
  uint64_t planned = 0;  // by the core: the plan that is this fetch's
};

// What this machine is called, and what label files say.
struct MachineLabels {
  std::vector<AgentLabel> own, of_files;
};

// The end of an answer that need not be copied: `bytes` stay where they are as long as `call`.
struct AnswerTail {
  AgentCallPtr call{};  // null: there is none
  Bytes bytes{};
};

// What agents that are processes are asked for in a fetch, by domain.
using FetchCalls = std::map<uint32_t, AgentCallPtr>;

class CollectorCore {
 public:
  // The agents outlive it. Two of one domain, or two metrics of one name, are a bug.
  CollectorCore(const Clock& clock, std::vector<Agent*> agents, CollectorState& state);

  [[nodiscard]] const NameSpaceTree& names() const { return *names_; }
  // The names of a file, in whose order children stand; those of our agents that it lacks follow.
  void set_names(std::span<const NameSpaceTree::NamedLeaf> leaves);

  // Agents that are processes, as configured; they outlive this, or the next call. Ours of the same
  // domain is not asked any more. `facts`: all agents, in the order of the configuration.
  void set_remotes(std::vector<RemoteAgent*> remotes, std::vector<CollectorAgentFacts> facts);
  [[nodiscard]] RemoteAgent* remote_of(uint32_t domain) const;
  [[nodiscard]] std::vector<std::pair<uint32_t, std::string>> agents_of_ours() const;
  [[nodiscard]] bool has_agent_of_ours(uint32_t domain) const {
    return std::ranges::find(agents_, domain, &Agent::domain) != agents_.end();
  }
  [[nodiscard]] CollectorAgentFacts* facts_of(uint32_t domain);  // null: there is none
  // Tells agents that ask for it who a client is.
  void client_is_known(const AgentAsker& asker);
  // Tells a new agent of all clients.
  void introduce_clients_to(RemoteAgent& agent);
  [[nodiscard]] const Clock& clock() const { return *clock_; }
  [[nodiscard]] CollectorState& state() { return *state_; }
  [[nodiscard]] EventTrace& trace() { return trace_; }
  // Who takes logins, and outlives this or the next call; null: nobody does.
  void set_logins(Logins* logins);
  [[nodiscard]] Logins* logins() const { return logins_; }

  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) const;
  // Names of metrics: PM_ERR_NOAGENT and PM_ERR_PMID say why there are none.
  [[nodiscard]] OrPmError<std::vector<std::string_view>> names_of(PmId pmid) const;
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker& asker);
  [[nodiscard]] OrPmError<std::string_view> text(const wire::TextRequest& request) const;
  // Fills `sheets`; 0 or why not.
  [[nodiscard]] int labels(const wire::LabelRequest& request, const AgentAsker& asker,
                           LabelSheets& sheets);
  // Begins the fetches of agents that have threads of their own. How long to wait for them until
  // fetch() is to be called, which then does not wait; none: it may be called at once.
  [[nodiscard]] std::optional<std::chrono::milliseconds> begin_fetch(CollectorFetch& request);
  // The same of instances().
  [[nodiscard]] std::optional<std::chrono::milliseconds> begin_instances(InDomId indom,
                                                                         const AgentAsker& asker);
  [[nodiscard]] bool fetches(const AgentAsker& asker) const;  // what was begun is under way
  // Called by any thread when fetches() may be over for somebody; null: by none any more.
  void when_fetched(const std::function<void()>& call);
  // Asks the agents that are processes.
  [[nodiscard]] FetchCalls ask_remotes(const CollectorFetch& request);
  // All calls are done. Appends the result, but for its tail.
  [[nodiscard]] AnswerTail fetch(CollectorFetch& request, const FetchCalls& calls, ByteWriter& out);
  // What agents that are processes are to store.
  [[nodiscard]] FetchCalls ask_to_store(const wire::ResultSets& sets, const AgentAsker& asker);
  // 0, or what pmcd answers: the code of the last agent that refused, as they are configured. Those
  // of the process store now.
  struct StoreOutcome {
    std::map<uint32_t, int> codes{};  // by domain
    bool without_agent = false;
  };
  [[nodiscard]] StoreOutcome store_here(const wire::ResultSets& sets, const AgentAsker& asker);
  [[nodiscard]] int store_code(const StoreOutcome& here, const FetchCalls& calls) const;

  // Looks at label files; clients hear of it where they have changed.
  void read_labels();

  // For the log, from all agents.
  [[nodiscard]] std::vector<std::string> take_notes();
  // State-change bits that this client has not heard of, which then has.
  [[nodiscard]] uint32_t take_changes(uint32_t client);
  [[nodiscard]] const std::map<uint32_t, AgentAsker>& known_clients() const { return known_; }
  // For every client that is there.
  void raise(uint32_t changes);
  void client_came(uint32_t client);
  void client_went(const AgentAsker& asker);

 private:
  struct KnownMetric {
    uint32_t agent;  // of agents_
    uint32_t which;
    // Of the last plan that has it.
    uint64_t plan = 0;
    const AgentValues* column = nullptr;
  };
  [[nodiscard]] Agent& owner_of(const KnownMetric& known) const { return *agents_[known.agent]; }
  [[nodiscard]] const AgentMetric& row_of(const KnownMetric& known) const {
    return owner_of(known).metrics()[known.which];
  }
  struct AgentShare {  // of a fetch
    std::vector<uint32_t> which;
    std::vector<AgentValues*> columns;
    bool was_ready = true;  // the agent, when the collector has last looked
  };
  [[nodiscard]] Agent* agent_of(uint32_t id) const;  // by the domain in it; null: none
  [[nodiscard]] const AgentInDom* indom_row(InDomId indom) const;
  [[nodiscard]] int add_labels(const wire::LabelRequest& request, Agent& agent,
                               const AgentAsker& asker, LabelSheets& sheets);
  // As they are now, or were a moment ago: a client can ask for them thousands of times.
  [[nodiscard]] const MachineLabels& machine_labels();
  // Asks all agents, and tells clients of what has changed.
  void look_at_agents();
  // Fills `shares_`: what each agent is asked for, with a column for each metric, which that metric
  // then has.
  void plan(CollectorFetch& request);
  void add_own(const CollectorFetch& request, PmId pmid, wire::ResultEncoder& encoder);
  void send_too_big(const AgentAsker& asker, ByteWriter& out);
  void count_sent(const AgentAsker& asker, wire::PduType type);
  // All agents that are asked give a container's values to who asks for them.
  [[nodiscard]] bool knows_containers() const;
  // It may have stored which container it asks for.
  void look_at_container(uint32_t client);
  AgentValues& next_column(const Desc& desc);
  [[nodiscard]] int store_set(const wire::ResultSets& sets, size_t which, const AgentAsker& asker);

  const Clock* clock_;
  std::vector<Agent*> agents_;
  CollectorState* state_;
  EventTrace trace_;
  Logins* logins_ = nullptr;
  std::unique_ptr<NameSpaceTree> names_;
  std::map<uint32_t, RemoteAgent*> remotes_;  // by domain
  std::vector<uint32_t> order_;               // domains of all agents, as configured
  std::map<uint32_t, AgentAsker> known_;      // clients that have said who they are
  std::unordered_map<PmId, KnownMetric> metrics_;
  std::map<uint32_t, uint32_t> changes_;  // by client
  std::optional<MachineLabels> machine_labels_;
  Instant machine_labels_until_{};
  // Of the last plan, and memory for the next one.
  uint64_t plans_ = 0;
  std::vector<AgentShare> shares_;  // by agent
  std::vector<std::unique_ptr<AgentValues>> columns_;
  size_t columns_used_ = 0;
  wire::ResultEncoder encoder_{wire::PduType::result, {}},
      highres_encoder_{wire::PduType::highres_result, {}};
  FetchedSet set_;
};

// Labels of everything that this collector serves: where it runs, who asks, and what files say.
[[nodiscard]] std::vector<AgentLabel> context_labels(const AgentAsker& asker,
                                                     const CollectorState& state,
                                                     const MachineLabels& machine);
[[nodiscard]] MachineLabels read_machine_labels(const CollectorState& state);
// Those of files alone: of FOLDER/labels, and optional ones of FOLDER/labels/optional.
[[nodiscard]] std::vector<AgentLabel> file_labels(const std::string& folder);

}  // namespace pmjit
