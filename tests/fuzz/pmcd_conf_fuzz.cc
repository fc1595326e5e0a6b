// Any bytes as pmcd.conf, and behind a NUL as FILE.access: what is wrong has a message, and agents
// that are taken are whole.
#include "agent/collector/collector_config.h"
#include "runtime/base/result.h"

namespace pmjit {
namespace {

// No look-ups: names are known by their length.
AccessNames names_by_length() {
  const auto id = [](const std::string& name) -> std::optional<uint32_t> {
    if (name.size() % 4 == 0) return {};
    return static_cast<uint32_t>(name.size());
  };
  return {.addresses = [](const std::string& host) -> std::vector<PeerAddress> {
            const auto address = parse_peer_address(host);
            if (!address) return {};
            return {*address};
          },
          .user = id,
          .group = id,
          .own_addresses = [] { return std::vector<PeerAddress>{{.family = PeerFamily::inet}}; }};
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pmjit;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t end = all.find('\0');
  ConfigTexts texts{.text = all.substr(0, end)};
  if (end != std::string_view::npos) texts.access = all.substr(end + 1);
  static const AccessNames names = names_by_length();
  CollectorConfig config = read_collector_config(texts, names);
  check(config.good || !config.messages.empty(), "pmcd.conf: refused without a message");
  for (const AgentLine& agent : config.agents) {
    check(
        agent.domain <= 510 && (agent.transport != AgentTransport::pipe || !agent.command.empty()),
        "pmcd.conf: half an agent");
  }
  uint8_t denied = 0;
  const AccessPeer peer{
      .addresses = {{.family = PeerFamily::inet}}, .user_id = 1, .group_ids = {2}};
  if (config.access.admit(peer, denied) == 0) config.access.leave(peer);
  if (config.access.admit_user(peer, denied) == 0) config.access.leave_user(peer);
  check(!config.access.table_text().empty(), "pmcd.conf: no table");
  return 0;
}
