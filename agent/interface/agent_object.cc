#include "agent/interface/agent_object.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>

namespace pmjit {

std::string loader_error() {
  const char* const why = ::dlerror();
  return why == nullptr ? "" : why;
}

OpenedObject open_agent_object(std::span<const std::string> places) {
  const auto found = std::ranges::find_if(
      places, [](const std::string& place) { return ::access(place.c_str(), F_OK) == 0; });
  if (found == places.end()) return {.fault = AgentFault::not_found};
  OpenedObject out{.path = *found};
  out.handle = ::dlopen(out.path.c_str(), RTLD_LAZY);
  if (out.handle == nullptr) {
    out.fault = AgentFault::not_attached;
    out.why = loader_error();
  }
  return out;
}

bool open_agent_library(const std::string& folder) {
  for (const char* const step : {"/", "/../"}) {
    const std::string path = folder + step + kAgentLibrary;
    if (::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return true;
  }
  return false;
}

AgentFault set_up_agent(void* object, const std::string& entry, pmdaInterface& dispatch) {
  using EntryPoint = void (*)(pmdaInterface*);
  const auto call = reinterpret_cast<EntryPoint>(::dlsym(object, entry.c_str()));
  if (call == nullptr) return AgentFault::no_entry;
  // What an agent sees before it has said which interface it has.
  constexpr unsigned kNoInterface = 0xff;
  dispatch.comm.pmda_interface = kNoInterface;
  call(&dispatch);
  const unsigned version = dispatch.comm.pmda_interface;
  if (dispatch.status != 0) return AgentFault::failed;
  if (version < PMDA_INTERFACE_2 || version > PMDA_INTERFACE_LATEST) {
    return AgentFault::other_interface;
  }
  if (dispatch.comm.pmapi_version != PMAPI_VERSION_2) return AgentFault::other_pmapi;
  return dispatch.version.any.ext == nullptr ? AgentFault::not_set_up : AgentFault::none;
}

}  // namespace pmjit
