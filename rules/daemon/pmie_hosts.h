// PmieHosts: rules of pmie on all hosts of a block. They are bound together; then each host is
// evaluated at its own times, when its answer is there. Nobody waits for anybody.
//
//   PmieHosts hosts(clock);
//   hosts.add(member, sink);              // each host
//   while (!*hosts.bind_some()) …         // the network works meanwhile
//   auto begun = hosts.begin();
//   Stamp wakes = hosts.run();            // evaluates what is due and has come
//
// Clients, definitions, rules and the sink must live longer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "compiler/compat/registry/derive.h"
#include "rules/compat/common_rules.h"
#include "rules/daemon/group_engine.h"
#include "rules/daemon/rule_blocks.h"

namespace pmjit {

class PmieHost;

class PmieHosts {
 public:
  struct Member {
    FleetMember& member;
    const ConfigHost& host;
    DerivedMetrics& derived;
    pmie::CommonRules& rules;
    // The same, and which are unknown on a host where they cannot be bound; they outlive it.
    const std::vector<BlockRule>& of_pmie;
    double interval = 10;  // of the block, in seconds
    Zone zone{};
    bool safe_shell = true;
  };
  explicit PmieHosts(const Clock& clock);
  ~PmieHosts();
  PmieHosts(const PmieHosts&) = delete;
  PmieHosts& operator=(const PmieHosts&) = delete;

  void add(const Member& member, EngineSink& sink);
  [[nodiscard]] bool empty() const { return hosts_.empty(); }
  // Takes what hosts have said of their metrics. True: all have said it, or took too long.
  [[nodiscard]] Result<bool> bind_some();
  // A host that has not answered joins later.
  [[nodiscard]] Result<void> begin();
  void begin_anew();
  // Evaluates what is due and has come. When there is something to do again.
  [[nodiscard]] Stamp run();

  // Of a host, in the order in which they were added.
  [[nodiscard]] const std::optional<HostTick>& last_tick(size_t host) const;
  // Interval of the rule that is due most often on any host, in seconds; HUGE_VAL: there is none.
  [[nodiscard]] double shortest() const;

 private:
  using Waits = std::pair<Stamp, uint32_t>;  // until then, the host

  void queue_all();

  const Clock& clock_;
  std::vector<std::unique_ptr<PmieHost>> hosts_;
  std::vector<PmieHost*> unbound_;        // which have not said what they have
  std::optional<Instant> patient_until_;  // with them
  std::priority_queue<Waits, std::vector<Waits>, std::greater<>> queue_;
  std::vector<uint32_t> asked_;  // who is not in it
};

}  // namespace pmjit
