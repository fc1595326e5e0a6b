#include "runtime/pmapi/local_agents.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include "runtime/pmapi/border.h"
#include "runtime/pmapi/messages.h"

namespace pmjit {

namespace {

constexpr int kDomains = 511;  // the last one has names without an agent
constexpr const char* kInstalledAgents = "/var/lib/pcp/pmdas";

std::string setting(const char* name, const char* otherwise) {
  const char* const said = pmGetOptionalConfig(name);
  return said == nullptr ? otherwise : said;
}

std::string installed_agents() { return setting("PCP_PMDAS_DIR", kInstalledAgents); }

std::optional<int> decimal(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  int out = 0;
  const char* const end = text.data() + text.size();
  const auto [at, wrong] = std::from_chars(text.data(), end, out);
  if (wrong != std::errc() || at != end) return std::nullopt;
  return out;
}

// A line of pmcd.conf. The kernel's agent is a process of its own there, and comes as an object
// here. PCP's pmcd is not in this process, so its agent of that name cannot be.
std::optional<LocalAgent> agent_of_line(const std::string& line) {
  if (line.starts_with("pmcd") || line.starts_with('#') || line.starts_with(' ')) return {};
  if (line.starts_with("linux")) {
    constexpr int kLinux = 60;
    return LocalAgent{.domain = kLinux,
                      .path = fmt::format("{}/linux/pmda_linux.so", installed_agents()),
                      .entry = "linux_init"};
  }
  std::istringstream words(line);
  std::string name, domain, kind, entry, path;
  if (!(words >> name >> domain >> kind >> entry) || kind != "dso") return {};
  words >> path;
  const auto number = decimal(domain);
  if (!number) return {};
  return LocalAgent{.domain = *number, .path = path, .entry = entry};
}

// Where the object may be: its path is a whole one, or one below the agents that are installed.
std::array<std::string, 4> places_of(const std::string& path) {
  const std::string below = installed_agents() + "/" + path;
  return {path, below, below + ".so", path + ".so"};
}

// Objects find the agent library that belongs to this libpcp, wherever it is.
void open_library_beside() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<void*>(&pmNewContext), &own) == 0) return;
  const std::string path = own.dli_fname;
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos) (void)open_agent_library(path.substr(0, slash));
}

std::string fault_text(AgentFault fault, const LocalAgent& agent, const OpenedObject& object) {
  const std::string in_object = fmt::format("\"{}\" DSO\n", object.path);
  switch (fault) {
    case AgentFault::not_found:
      return fmt::format("Warning: cannot find DSO at \"{}.so\" or \"{}\"\n", agent.path,
                         agent.path);
    case AgentFault::not_attached:
      return fmt::format("Warning: error attaching DSO \"{}\"\n{}\n\n", object.path, object.why);
    case AgentFault::no_entry:
      return fmt::format("Warning: couldn't find init function \"{}\" in DSO \"{}\"\n", agent.entry,
                         object.path);
    case AgentFault::failed:
      return fmt::format("Warning: initialization routine \"{}\" failed in DSO \"{}\": {}\n",
                         agent.entry, object.path, pm_error_text(agent.dispatch->status));
    case AgentFault::other_interface:
      return fmt::format("Error: Unknown PMDA interface version {} in {}", agent.interface(),
                         in_object);
    case AgentFault::other_pmapi:
      return fmt::format("Error: Unknown PMAPI version {} in {}",
                         unsigned{agent.dispatch->comm.pmapi_version}, in_object);
    case AgentFault::not_set_up:
      return fmt::format("Error: \"{}\" has not called pmdaDSO() in {}", agent.entry, in_object);
    case AgentFault::none: return {};
  }
  return {};
}

}  // namespace

LocalAgents& local_agents() {
  static auto* const agents = new LocalAgents();
  return *agents;
}

LocalProfile::LocalProfile(Profile profile) : profile_(std::move(profile)) {
  for (const auto& [indom, of_domain] : profile_.domains()) {
    std::vector<int>& list = lists_.emplace_back(of_domain.but.begin(), of_domain.but.end());
    domains_.push_back({.indom = indom,
                        .state = of_domain.excludes ? PM_PROFILE_EXCLUDE : PM_PROFILE_INCLUDE,
                        .instances_len = static_cast<int>(list.size()),
                        .instances = list.data()});
  }
  for_agents_ = {.state = profile_.excludes() ? PM_PROFILE_EXCLUDE : PM_PROFILE_INCLUDE,
                 .profile_len = static_cast<int>(domains_.size()),
                 .profile = domains_.data()};
}

int LocalAgents::read_table() {
  if (read_) return 0;
  read_ = true;
  const std::string path = setting("PCP_PMCDCONF_PATH", "/etc/pcp/pmcd/pmcd.conf");
  errno = 0;
  std::ifstream file(path);
  if (!file) return errno != 0 ? -errno : -ENOENT;
  for (std::string line; std::getline(file, line);) {
    if (auto agent = agent_of_line(line)) table_.push_back(*std::move(agent));
  }
  return 0;
}

std::string LocalAgents::change(std::string_view spec) {
  if (!usable_here()) return "__pmLocalPMDA: " + pm_error_text(PM_ERR_THREAD);
  std::array<std::string_view, 4> fields{};  // the last one has what is left
  size_t count = 0;
  for (std::string_view rest = spec; count < fields.size(); ++count) {
    const size_t comma = count + 1 == fields.size() ? rest.npos : rest.find(',');
    fields[count] = rest.substr(0, comma);
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  const auto [op, domain, path, entry] = fields;
  if (op == "clear") {
    if (count > 0) return "unexpected text after clear op in spec";
    read_ = true;
    table_.clear();
    return {};
  }
  const bool adds = op.starts_with("add");
  if (!adds && !op.starts_with("del")) return "bad op in spec";
  if (count == 0 || op.size() != 3) return "expected , after op in spec";
  const auto number = decimal(domain);
  if (domain.empty() && (adds || count == 1)) return "missing domain in spec";
  if (domain.empty() && path.empty()) return "missing domain and dso-path in spec";
  if (!domain.empty() && (!number || *number < 0 || *number >= kDomains)) {
    return "bad domain in spec";
  }
  if (adds && path.empty()) return "missing dso-path in spec";
  if (adds && entry.empty()) return "missing init-routine in spec";
  if (const int code = read_table(); code < 0) return "__pmLocalPMDA: " + pm_error_text(code);
  if (adds) {
    table_.push_back({.domain = *number, .path = std::string(path), .entry = std::string(entry)});
    return {};
  }
  const size_t gone = std::erase_if(table_, [&](const LocalAgent& agent) {
    return (number && agent.domain == *number) || (!path.empty() && agent.path == path);
  });
  return gone != 0 ? "" : "__pmLocalPMDA: " + pm_error_text(PM_ERR_INDOM);
}

bool LocalAgents::open_agent(LocalAgent& agent) {
  const OpenedObject object = open_agent_object(places_of(agent.path));
  AgentFault fault = object.fault;
  if (fault == AgentFault::none) {
    agent.dispatch = dispatches_.emplace_back(std::make_unique<pmdaInterface>()).get();
    agent.dispatch->domain = agent.domain;
    agent.dispatch->comm.pmapi_version = PMAPI_VERSION_2;
    fault = set_up_agent(object.handle, agent.entry, *agent.dispatch);
  }
  if (fault == AgentFault::none) {
    agent.context_asks =
        reinterpret_cast<void (*)(int)>(::dlsym(object.handle, "__pmdaSetContext"));
    return true;
  }
  add_message("__pmConnectLocal: " + fault_text(fault, agent, object));
  pmflush();
  return false;
}

int LocalAgents::open() {
  if (!usable_here()) return PM_ERR_THREAD;
  if (const int code = read_table(); code < 0) return code;
  owner_ = std::this_thread::get_id();
  const auto is_new = [](const LocalAgent& agent) { return agent.dispatch == nullptr; };
  if (std::ranges::none_of(table_, is_new)) return 0;
  open_library_beside();
  std::erase_if(table_, [&](LocalAgent& agent) { return is_new(agent) && !open_agent(agent); });
  return 0;
}

OrPmError<LocalAgent*> LocalAgents::asked(unsigned domain, int handle) {
  for (LocalAgent& agent : table_) {
    if (static_cast<unsigned>(agent.domain) != domain || agent.dispatch == nullptr) continue;
    agent.set_context(handle);
    return &agent;
  }
  return pm_fail(pm_err::E_NOAGENT);
}

void LocalAgents::begin_context(int handle) {
  struct Attribute {
    int key;
    unsigned value;
  };
  const Attribute attributes[] = {{PMDA_ATTR_PROCESSID, static_cast<unsigned>(::getpid())},
                                  {PMDA_ATTR_GROUPID, ::getgid()},
                                  {PMDA_ATTR_USERID, ::getuid()}};
  for (LocalAgent& agent : table_) {
    if (agent.dispatch == nullptr || agent.interface() < PMDA_INTERFACE_6) continue;
    if ((agent.dispatch->comm.flags & PMDA_FLAG_AUTHORIZE) == 0) continue;
    agent.set_context(handle);
    for (const Attribute& attribute : attributes) {
      const std::string text = std::to_string(attribute.value);
      (void)agent.dispatch->version.six.attribute(
          handle, attribute.key, text.c_str(), static_cast<int>(text.size()) + 1, agent.all().ext);
    }
  }
}

void LocalAgents::end_context(int handle) {
  for (LocalAgent& agent : table_) {
    if (agent.dispatch == nullptr || agent.interface() < PMDA_INTERFACE_5) continue;
    const auto call = agent.all().ext->e_endCallBack;
    if (call != nullptr) call(handle);
  }
}

}  // namespace pmjit
