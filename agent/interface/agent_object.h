// An agent that is a shared object: opened, and set up as pmcd does it. What went wrong is a fault,
// for each user has messages of its own. Source: spec collector-and-agents.md §2.6.
//
//   const OpenedObject object = open_agent_object({{path, path + ".so"}});
//   pmdaInterface dispatch{};
//   dispatch.domain = 253;
//   if (object.handle != nullptr) fault = set_up_agent(object.handle, "simple_init", dispatch);
//
// It needs nothing else of ours: pmjit-pmda-host is linked with it alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>

// Functions that C calls are exported; nothing else of our libraries is.
#pragma GCC visibility push(default)
#include "agent/interface/include/pcp/pmda.h"
#pragma GCC visibility pop

namespace pmjit {

inline constexpr const char* kAgentLibrary = "libpcp_pmda.so.3";

enum class AgentFault : uint8_t {
  none,
  not_found,        // no file
  not_attached,     // the loader refuses it
  no_entry,         // it has no such function
  failed,           // the agent has set dispatch.status
  other_interface,  // none that we know
  other_pmapi,
  not_set_up,  // its entry has not called pmdaDSO()
};

struct OpenedObject {
  void* handle = nullptr;
  AgentFault fault = AgentFault::none;
  std::string path{};  // the file
  std::string why{};   // in the words of the loader
};

// The first of these places where there is a file. The object is never closed.
[[nodiscard]] OpenedObject open_agent_object(std::span<const std::string> places);
// The agent library in this folder, or in the one above: for objects that do not find it.
bool open_agent_library(const std::string& folder);
// Why the loader refused the last thing.
[[nodiscard]] std::string loader_error();

// Calls the entry of the object. The caller sets the domain, and what the agent is to see as the
// version of the PMAPI. Agents may keep the address of `dispatch` for ever.
[[nodiscard]] AgentFault set_up_agent(void* object, const std::string& entry,
                                      pmdaInterface& dispatch);

}  // namespace pmjit
