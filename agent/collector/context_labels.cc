// Labels of the context: what the machine is called. Read when asked for, so a new host name shows.
#include <fmt/format.h>

#include "agent/collector/collector_core.h"
#include "runtime/base/local_host.h"

namespace pmjit {

std::vector<AgentLabel> context_labels(const AgentAsker& asker, const std::string& name) {
  const std::string host = name.empty() ? local_host_name() : name;
  std::vector<AgentLabel> out = {{"domainname", json_string(local_domain_name())},
                                 {"hostname", json_string(host)}};
  if (const std::string machine = local_machine_id(); !machine.empty()) {
    out.push_back({"machineid", json_string(machine)});
  }
  if (asker.group_id) out.push_back({"groupid", fmt::format("{}", *asker.group_id), true});
  if (asker.user_id) out.push_back({"userid", fmt::format("{}", *asker.user_id), true});
  return out;
}

}  // namespace pmjit
