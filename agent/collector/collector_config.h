// CollectorConfig: what pmcd.conf says: which agents there are, how each is reached, and who may do
// what. Source: spec collector-and-agents.md §1.3; the vectors are pmcd-conf.
//
//   auto config = read_collector_config({.text = text, .access = access_text}, names);
//   for (const std::string& message : config.messages) print(message);
//   if (!config.good) return exit_with(1);
//   start(config.agents);
//
// What pmcd tolerates is tolerated: an agent's line that is wrong is said and left out, and the
// verdict is that of the last one. The result is a value; nothing is started here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/collector/access_lists.h"

namespace pmjit {

enum class AgentTransport : uint8_t { dso, pipe, inet, ipv6, local };

struct AgentLine {
  std::string label;
  uint32_t domain = 0;
  AgentTransport transport = AgentTransport::pipe;
  bool not_ready = false;  // it starts so, and says when it is ready
  std::string entry{};     // of a DSO
  std::string path{};      // of a DSO or a unix socket
  uint32_t port = 0;
  std::vector<std::string> command{};  // none: it runs already

  // The same agent, whatever it is called: it is kept over a SIGHUP.
  [[nodiscard]] bool same_agent(const AgentLine& other) const;
};

struct CollectorConfig {
  std::vector<AgentLine> agents{};
  AccessLists access{};
  std::vector<PeerAddress> own_addresses{};  // of this machine; a loopback client has them all
  std::vector<std::string> messages{};       // whole lines; notices begin with "Error: " or
                                             // "Warning: "
  bool good = true;
};

struct ConfigTexts {
  std::string_view text;
  std::optional<std::string_view> access{};  // of FILE.access, if it is there
};

[[nodiscard]] CollectorConfig read_collector_config(const ConfigTexts& texts,
                                                    const AccessNames& names);

}  // namespace pmjit
