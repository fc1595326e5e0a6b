// Labels of the context: what the machine is called. Read when asked for, so a new host name shows.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "agent/collector/collector_core.h"

namespace pmjit {

namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string out;
  std::getline(file, out);
  return out;
}

}  // namespace

std::vector<AgentLabel> context_labels(const AgentAsker& asker, const std::string& name) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  // The kernel writes "(none)" where nobody has named the domain.
  std::string domain = first_line("/proc/sys/kernel/domainname");
  if (domain.empty() || domain == "(none)") domain = "localdomain";
  std::vector<AgentLabel> out = {{"domainname", json_string(domain)},
                                 {"hostname", json_string(name.empty() ? host.data() : name)}};
  if (const std::string machine = first_line("/etc/machine-id"); !machine.empty()) {
    out.push_back({"machineid", json_string(machine)});
  }
  if (asker.group_id) out.push_back({"groupid", fmt::format("{}", *asker.group_id), true});
  if (asker.user_id) out.push_back({"userid", fmt::format("{}", *asker.user_id), true});
  return out;
}

}  // namespace pmjit
