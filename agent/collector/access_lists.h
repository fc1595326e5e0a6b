// AccessLists: who may do what: the statements of pmcd.conf's section [access] as three tables, for
// hosts, users and groups. Source: spec collector-and-agents.md §1.4.
//
//   AccessLists lists;
//   lists.add_host("10.1.*", {.mentioned = kStoreAllowed, .denied = kStoreAllowed}, names,
//   notices); const int code = lists.admit(peer, denied);      // 0, PM_ERR_PERMISSION or
//   PM_ERR_CONNLIMIT … lists.leave(peer);                               // once for each admit()
//   that gave 0
//
// A later statement never weakens an earlier one of the same host: two that contradict each other
// are a clash, and the later one is left out. The value is replaced whole on SIGHUP.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pmjit {

// Operations, as bits.
inline constexpr uint8_t kFetchOperation = 1, kStoreOperation = 2, kAllOperations = 3;

enum class PeerFamily : uint8_t { local, inet, ipv6 };

struct PeerAddress {
  PeerFamily family = PeerFamily::local;
  std::array<uint8_t, 16> bytes{};  // of IPv4 the first four

  auto operator<=>(const PeerAddress&) const = default;
};
[[nodiscard]] std::string address_text(const PeerAddress& address);  // "unix:" of a unix socket
[[nodiscard]] std::optional<PeerAddress> parse_peer_address(const std::string& text);
[[nodiscard]] bool is_loopback(const PeerAddress& address);

// A client, as far as the lists are concerned.
struct AccessPeer {
  // One; of a loopback client also those of this machine, for statements about "localhost".
  std::vector<PeerAddress> addresses{};
  std::optional<uint32_t> user_id{};
  std::vector<uint32_t> group_ids{};
};

struct AccessRule {
  uint8_t mentioned = 0, denied = 0;  // bits of operations
  uint32_t connections_max = 0;       // 0: any number
};

// Looks up names of hosts, users and groups. pmcd asks the system, which may block; tests have
// tables.
struct AccessNames {
  std::function<std::vector<PeerAddress>(const std::string& host)> addresses;  // none: unknown
  std::function<std::optional<uint32_t>(const std::string& name)> user, group;
  std::function<std::vector<PeerAddress>()> own_addresses;  // those of this machine's name
};
[[nodiscard]] AccessNames system_access_names();

class AccessLists {
 public:
  // 0, or a negative errno: nothing was added. `notices`: lines for the log, which say why.
  [[nodiscard]] int add_host(const std::string& name, const AccessRule& rule,
                             const AccessNames& names, std::vector<std::string>& notices);
  [[nodiscard]] int add_user(const std::string& name, const AccessRule& rule,
                             const AccessNames& names, std::vector<std::string>& notices);
  [[nodiscard]] int add_group(const std::string& name, const AccessRule& rule,
                              const AccessNames& names, std::vector<std::string>& notices);

  // By its host. 0: the connection counts, and `denied` has what it may not do.
  [[nodiscard]] int admit(const AccessPeer& peer, uint8_t& denied);
  void leave(const AccessPeer& peer);
  // By who it is, once that is known. The same; without a statement about users or groups all is
  // allowed, with one and without a name nothing.
  [[nodiscard]] int admit_user(const AccessPeer& peer, uint8_t& denied);
  void leave_user(const AccessPeer& peer);
  [[nodiscard]] bool asks_who() const { return !users_.empty() || !groups_.empty(); }

  [[nodiscard]] std::string table_text() const;  // for the log

 private:
  struct HostSpec {
    PeerAddress address{};
    std::array<uint8_t, 16> mask{};
    int level = 0;  // how many parts of the address may be anything
    AccessRule rule{};
    uint32_t connections = 0;
    std::string name{};  // as the statement has it
  };
  struct IdSpec {
    std::optional<uint32_t> id{};  // none: all
    AccessRule rule{};
    uint32_t connections = 0;
    std::string name{};
  };
  [[nodiscard]] static bool matches(const HostSpec& spec, const AccessPeer& peer);
  [[nodiscard]] int add_spec(HostSpec spec, std::vector<std::string>& notices);
  [[nodiscard]] int add_wildcard(const std::string& name, const AccessRule& rule,
                                 std::vector<std::string>& notices);
  [[nodiscard]] static int add_id(std::vector<IdSpec>& table, std::string_view kind, IdSpec spec,
                                  std::vector<std::string>& notices);
  [[nodiscard]] std::vector<IdSpec*> ids_of(const AccessPeer& peer);
  static void add_ids(std::string_view kind, std::string_view columns,
                      const std::vector<IdSpec>& table, std::string& out);

  std::vector<HostSpec> hosts_;  // the least specific first
  std::vector<IdSpec> users_, groups_;
};

}  // namespace pmjit
