// LocalAgents: agents that run inside the program, for contexts of type PM_CONTEXT_LOCAL: which
// there are, and what they are asked. Source: spec pmapi.md §9.4, wire-protocol.md §16.
//
//   LocalAgents& agents = local_agents();
//   if (const int code = agents.open(); code < 0) …            pmcd.conf cannot be read
//   const auto agent = agents.asked(pmID_domain(pmid), handle);
//   if (agent) (*agent)->all().desc(pmid, &desc, (*agent)->all().ext);
//
// Agents know nothing of threads: all calls are of the thread that has opened them first, so
// nothing is locked.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/interface/agent_object.h"
#include "runtime/client/context.h"

namespace pmjit {

// A profile as agents have it, who keep its address until they get another one.
class LocalProfile {
 public:
  explicit LocalProfile(Profile profile);
  LocalProfile(const LocalProfile&) = delete;
  LocalProfile& operator=(const LocalProfile&) = delete;
  [[nodiscard]] const Profile& profile() const { return profile_; }
  [[nodiscard]] pmProfile* for_agents() { return &for_agents_; }

 private:
  Profile profile_;
  std::vector<std::vector<int>> lists_;
  std::vector<pmInDomProfile> domains_;
  pmProfile for_agents_{};
};

struct LocalAgent {
  int domain = 0;
  std::string path{}, entry{};          // as the table has them
  pmdaInterface* dispatch = nullptr;    // null: not opened yet
  std::shared_ptr<LocalProfile> told;   // the profile that it was told last
  void (*context_asks)(int) = nullptr;  // of the agent library, which says it to call-backs

  [[nodiscard]] unsigned interface() const { return dispatch->comm.pmda_interface; }
  [[nodiscard]] const pmdaAskedOfAll& all() const { return dispatch->version.any; }
  // Null: an agent that has no names of its own.
  [[nodiscard]] const pmdaAskedOfNames* names() const {
    return interface() >= PMDA_INTERFACE_4 ? &dispatch->version.four : nullptr;
  }
  // Who asks from now on.
  void set_context(int handle) const {
    const bool knows = interface() >= PMDA_INTERFACE_5;
    if (knows) all().ext->e_context = handle;
    if (context_asks != nullptr) context_asks(knows ? handle : -1);
  }
};

class LocalAgents {
 public:
  // pmSpecLocalPMDA(): what is wrong with the specification; empty: nothing.
  [[nodiscard]] std::string change(std::string_view spec);
  // Opens those of the table that are not open. Those that cannot be leave it, with a message.
  // -errno: pmcd's configuration cannot be read; PM_ERR_THREAD.
  [[nodiscard]] int open();
  // False: other threads have local contexts, or had.
  [[nodiscard]] bool usable_here() const {
    return owner_ == std::thread::id() || owner_ == std::this_thread::get_id();
  }

  // The agent of a domain, and that this context asks it. PM_ERR_NOAGENT.
  [[nodiscard]] OrPmError<LocalAgent*> asked(unsigned domain, int handle);
  // A context has come: agents that want to know are told whose it is.
  void begin_context(int handle);
  void end_context(int handle);

 private:
  [[nodiscard]] int read_table();
  [[nodiscard]] bool open_agent(LocalAgent& agent);

  bool read_ = false;  // pmcd's configuration, or the table was cleared before
  std::list<LocalAgent> table_;
  // Of all that were ever opened: agents may keep the address.
  std::vector<std::unique_ptr<pmdaInterface>> dispatches_;
  std::thread::id owner_{};
};

[[nodiscard]] LocalAgents& local_agents();

}  // namespace pmjit
