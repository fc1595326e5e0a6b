#include "agent/collector/access_lists.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr size_t kInetParts = 4, kIpv6Parts = 8;

bool is_in(const std::vector<uint32_t>& ids, uint32_t id) {
  return std::ranges::find(ids, id) != ids.end();
}

using AddressMask = std::array<uint8_t, 16>;

AddressMask mask_of(size_t bytes) {
  AddressMask out{};
  std::fill_n(out.begin(), bytes, uint8_t{0xFF});
  return out;
}

// What two statements about the same say of the same operation differs.
bool clashes(const AccessRule& before, const AccessRule& now) {
  const int both = before.mentioned & now.mentioned;
  const bool limits_differ = before.connections_max != 0 && now.connections_max != 0 &&
                             before.connections_max != now.connections_max;
  return ((before.denied ^ now.denied) & both) != 0 || limits_differ;
}

void merge(AccessRule& into, const AccessRule& more) {
  into.mentioned |= more.mentioned;
  into.denied |= more.denied;
  if (into.connections_max == 0) into.connections_max = more.connections_max;
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool parse_part(const std::string& text, int base, uint32_t most, uint32_t& out) {
  const char* const end = text.data() + text.size();
  const auto [place, error] = std::from_chars(text.data(), end, out, base);
  return error == std::errc{} && place == end && out <= most;
}

// "10.1." or "" (of ".*"): the bytes that are fixed; none: it is no pattern.
std::optional<size_t> inet_prefix(std::string_view text, PeerAddress& address) {
  address.family = PeerFamily::inet;
  if (text == ".") return 0;
  if (!text.ends_with('.')) return {};
  const auto parts = parts_of(text.substr(0, text.size() - 1), '.');
  if (parts.size() >= kInetParts) return {};
  for (size_t i = 0; i < parts.size(); ++i) {
    uint32_t number = 0;
    if (!parse_part(parts[i], 10, 255, number)) return {};
    address.bytes.at(i) = static_cast<uint8_t>(number);
  }
  return parts.size();
}

// "fe80:", "fe80::1:", ":" (of ":*"). Behind a "::" the wildcard is the last 16 bits alone.
std::optional<size_t> ipv6_prefix(std::string_view text, PeerAddress& address) {
  address.family = PeerFamily::ipv6;
  if (text == ":") return 0;
  if (text.find("::") != std::string_view::npos) {
    const auto whole = parse_peer_address(std::string(text) + "0");
    if (!whole || whole->family != PeerFamily::ipv6) return {};
    address = *whole;
    return 14;
  }
  if (!text.ends_with(':')) return {};
  const auto parts = parts_of(text.substr(0, text.size() - 1), ':');
  if (parts.size() >= kIpv6Parts) return {};
  for (size_t i = 0; i < parts.size(); ++i) {
    uint32_t number = 0;
    if (!parse_part(parts[i], 16, 0xFFFF, number)) return {};
    address.bytes.at(2 * i) = static_cast<uint8_t>(number >> 8);
    address.bytes.at(2 * i + 1) = static_cast<uint8_t>(number);
  }
  return 2 * parts.size();
}

}  // namespace

std::string address_text(const PeerAddress& address) {
  if (address.family == PeerFamily::local) return "unix:";
  std::array<char, INET6_ADDRSTRLEN> out{};
  const int family = address.family == PeerFamily::inet ? AF_INET : AF_INET6;
  inet_ntop(family, address.bytes.data(), out.data(), out.size());
  return out.data();
}

std::optional<PeerAddress> parse_peer_address(const std::string& text) {
  PeerAddress out{.family = PeerFamily::inet};
  if (inet_pton(AF_INET, text.c_str(), out.bytes.data()) == 1) return out;
  out.family = PeerFamily::ipv6;
  if (inet_pton(AF_INET6, text.c_str(), out.bytes.data()) == 1) return out;
  return {};
}

bool is_loopback(const PeerAddress& address) {
  if (address.family == PeerFamily::inet) return address.bytes[0] == 127;
  return address.family == PeerFamily::ipv6 && address_text(address) == "::1";
}

// ---- hosts

int AccessLists::add_spec(HostSpec spec, std::vector<std::string>& notices) {
  const auto same = std::ranges::find_if(hosts_, [&](const HostSpec& other) {
    return other.address == spec.address && other.mask == spec.mask;
  });
  if (same != hosts_.end()) {
    if (clashes(same->rule, spec.rule)) {
      notices.push_back(fmt::format("Error: Permission clash for {} with earlier statement for {}",
                                    spec.name, same->name));
      return -EINVAL;
    }
    merge(same->rule, spec.rule);
    return 0;
  }
  const auto place =
      std::ranges::find_if(hosts_, [&](const HostSpec& other) { return other.level < spec.level; });
  hosts_.insert(place, std::move(spec));
  return 0;
}

int AccessLists::add_wildcard(const std::string& name, const AccessRule& rule,
                              std::vector<std::string>& notices) {
  const auto complain = [&](std::string what) {
    notices.push_back("Error: " + std::move(what));
    return -EINVAL;
  };
  const size_t star = name.find('*');
  if (star + 1 != name.size()) {
    return complain(fmt::format("Wildcard in host pattern \"{}\" is not at the end", name));
  }
  HostSpec spec{.rule = rule, .name = name};
  std::string head = name.substr(0, star);
  const bool is_ipv6 = head.find(':') != std::string::npos;
  const char separator = is_ipv6 ? ':' : '.';
  const auto written = static_cast<size_t>(std::ranges::count(head, separator));
  // "10.1*" is "10.1.*".
  const bool is_open = written != 0 && !head.ends_with(separator);
  if (is_open) head += separator;
  if (written + (is_open ? 1 : 0) >= (is_ipv6 ? kIpv6Parts : kInetParts)) {
    return complain(
        fmt::format("Too many {} in host pattern \"{}\"", is_ipv6 ? "colons" : "dots", name));
  }
  if (head.find("::") != head.rfind("::")) {
    return complain(fmt::format("Too many empty regions in host pattern \"{}\"", name));
  }
  const auto fixed = is_ipv6 ? ipv6_prefix(head, spec.address) : inet_prefix(head, spec.address);
  if (!fixed) {
    return complain(fmt::format("Bad {} address wildcard, {}", is_ipv6 ? "IPv6" : "IP", name));
  }
  spec.mask = mask_of(*fixed);
  spec.level = static_cast<int>(is_ipv6 ? kIpv6Parts - *fixed / 2 : kInetParts - *fixed);
  return add_spec(std::move(spec), notices);
}

int AccessLists::add_host(const std::string& name, const AccessRule& rule, const AccessNames& names,
                          std::vector<std::string>& notices) {
  // A statement with several specs fails only where none of them could be added.
  int code = -EINVAL;
  const auto take = [&](int one) { code = code == 0 || one == 0 ? 0 : one; };
  const auto add_local = [&](const char* as) {
    take(add_spec({.mask = {}, .level = 1, .rule = rule, .name = as}, notices));
  };
  const auto add_addresses = [&](const std::vector<PeerAddress>& addresses, const std::string& as) {
    for (const PeerAddress& address : addresses) {
      take(add_spec({.address = address, .mask = mask_of(16), .rule = rule, .name = as}, notices));
    }
  };
  if (name == "*") {
    for (const char* const each : {".*", ":*"}) take(add_wildcard(each, rule, notices));
    add_local("unix:");
  } else if (name.starts_with("unix:") || name.starts_with("local:")) {
    const bool with_addresses = name.starts_with("local:");
    const std::string path = name.substr(name.find(':') + 1);
    if (!path.empty() && path != "*") {
      notices.push_back(fmt::format("Warning: Ignoring the path in host pattern \"{}\"", path));
    }
    add_local("unix:");
    if (with_addresses) add_addresses(names.own_addresses(), "localhost");
  } else if (name.find('*') != std::string::npos) {
    return add_wildcard(name, rule, notices);
  } else {
    const auto addresses = name == "localhost" ? names.own_addresses() : names.addresses(name);
    if (addresses.empty()) {
      notices.push_back(
          fmt::format("Error: __pmGetAddrInfo({}), Unknown host\nWarning: the "
                      "following access control specification will be ignored",
                      name));
      return -EHOSTUNREACH;
    }
    add_addresses(addresses, name);
  }
  return code;
}

bool AccessLists::matches(const HostSpec& spec, const AccessPeer& peer) {
  return std::ranges::any_of(peer.addresses, [&](const PeerAddress& address) {
    if (address.family != spec.address.family) return false;
    for (size_t i = 0; i < address.bytes.size(); ++i) {
      if (((address.bytes[i] ^ spec.address.bytes[i]) & spec.mask[i]) != 0) return false;
    }
    return true;
  });
}

int AccessLists::admit(const AccessPeer& peer, uint8_t& denied) {
  denied = 0;
  const HostSpec* last = nullptr;
  for (const HostSpec& spec : hosts_) {
    if (!matches(spec, peer)) continue;
    denied = static_cast<uint8_t>((denied & ~spec.rule.mentioned) | spec.rule.denied);
    last = &spec;
  }
  if (last != nullptr && last->rule.connections_max != 0 &&
      last->connections >= last->rule.connections_max) {
    return pm_err::E_CONNLIMIT;
  }
  if (denied == kAllOperations) return pm_err::E_PERMISSION;
  for (HostSpec& spec : hosts_) {
    if (spec.rule.connections_max != 0 && matches(spec, peer)) ++spec.connections;
  }
  return 0;
}

void AccessLists::leave(const AccessPeer& peer) {
  for (HostSpec& spec : hosts_) {
    if (spec.connections != 0 && matches(spec, peer)) --spec.connections;
  }
}

// ---- users and groups

int AccessLists::add_id(std::vector<IdSpec>& table, std::string_view kind, IdSpec spec,
                        std::vector<std::string>& notices) {
  const auto same = std::ranges::find(table, spec.id, &IdSpec::id);
  if (same == table.end()) {
    // The one for all is the least specific.
    table.insert(spec.id ? table.end() : table.begin(), std::move(spec));
    return 0;
  }
  if (clashes(same->rule, spec.rule)) {
    notices.push_back(
        fmt::format("Error: Permission clash for {} {} with earlier statement", kind, spec.name));
    return -EINVAL;
  }
  merge(same->rule, spec.rule);
  return 0;
}

int AccessLists::add_user(const std::string& name, const AccessRule& rule, const AccessNames& names,
                          std::vector<std::string>& notices) {
  IdSpec spec{.rule = rule, .name = name};
  if (name != "*" && !(spec.id = names.user(name))) {
    notices.push_back(
        fmt::format("Error: Failed to lookup user \"{}\": No such file or directory", name));
    return -EINVAL;
  }
  return add_id(users_, "user", std::move(spec), notices);
}

int AccessLists::add_group(const std::string& name, const AccessRule& rule,
                           const AccessNames& names, std::vector<std::string>& notices) {
  IdSpec spec{.rule = rule, .name = name};
  if (name != "*" && !(spec.id = names.group(name))) {
    notices.push_back(
        fmt::format("Error: Failed to lookup group \"{}\": No such file or directory", name));
    return -EINVAL;
  }
  return add_id(groups_, "group", std::move(spec), notices);
}

std::vector<AccessLists::IdSpec*> AccessLists::ids_of(const AccessPeer& peer) {
  std::vector<IdSpec*> out;
  for (IdSpec& spec : users_) {
    if (!spec.id || spec.id == peer.user_id) out.push_back(&spec);
  }
  for (IdSpec& spec : groups_) {
    if (!spec.id || is_in(peer.group_ids, *spec.id)) out.push_back(&spec);
  }
  return out;
}

int AccessLists::admit_user(const AccessPeer& peer, uint8_t& denied) {
  denied = 0;
  if (!asks_who()) return 0;
  if (!peer.user_id) return pm_err::E_PERMISSION;
  const auto denied_by = [&](const std::vector<IdSpec>& table, const auto& is_of) {
    // Who is named may do what is not; who is not may do nothing.
    bool is_named = false;
    uint8_t out = 0;
    for (const IdSpec& spec : table) {  // an entry for all stands before the first
      if (spec.id && !is_of(*spec.id)) continue;
      out = static_cast<uint8_t>((out & ~spec.rule.mentioned) | spec.rule.denied);
      is_named = true;
    }
    return is_named || table.empty() ? out : kAllOperations;
  };
  denied = static_cast<uint8_t>(
      denied_by(users_, [&](uint32_t id) { return id == peer.user_id; }) |
      denied_by(groups_, [&](uint32_t id) { return is_in(peer.group_ids, id); }));
  const auto specs = ids_of(peer);
  for (const IdSpec* const spec : specs) {
    const bool full =
        spec->rule.connections_max != 0 && spec->connections >= spec->rule.connections_max;
    if (full) return pm_err::E_CONNLIMIT;
  }
  if (denied == kAllOperations) return pm_err::E_PERMISSION;
  for (IdSpec* const spec : specs) ++spec->connections;
  return 0;
}

void AccessLists::leave_user(const AccessPeer& peer) {
  if (!peer.user_id) return;
  for (IdSpec* const spec : ids_of(peer)) {
    if (spec->connections != 0) --spec->connections;
  }
}

// ---- the log

namespace {

std::string operations_columns(const AccessRule& rule) {
  std::string out;
  for (const uint8_t operation : {kFetchOperation, kStoreOperation}) {
    const char* state = (rule.denied & operation) != 0 ? "n" : "y";
    if ((rule.mentioned & operation) == 0) state = " ";
    out += fmt::format(" {} ", state);
  }
  return out;
}

}  // namespace

std::string AccessLists::table_text() const {
  std::string out;
  if (hosts_.empty()) {
    out += "Host access list empty: host-based access control turned off\n";
  } else {
    out += fmt::format(
        "Host access list:\n00 01 Cur/MaxCons {:<39} {:<39} lvl host-name\n== == =========== "
        "{:=<39} "
        "{:=<39} === ==============\n",
        "host-spec", "host-mask", "", "");
    std::vector<HostSpec> most_specific_first = hosts_;
    std::ranges::stable_sort(most_specific_first, {}, &HostSpec::level);
    for (const HostSpec& spec : most_specific_first) {
      const bool local = spec.address.family == PeerFamily::local;
      const PeerAddress mask{.family = spec.address.family, .bytes = spec.mask};
      out += fmt::format("{}{:>5} {:>5} {:<39} {:<39} {:>3} {}\n", operations_columns(spec.rule),
                         spec.connections, spec.rule.connections_max,
                         local ? "/" : address_text(spec.address), local ? "/" : address_text(mask),
                         spec.level, spec.name);
    }
  }
  add_ids("User", "uid user", users_, out);
  add_ids("Group", "gid group", groups_, out);
  return out;
}

// Who is not named may do nothing.
void AccessLists::add_ids(std::string_view kind, std::string_view columns,
                          const std::vector<IdSpec>& table, std::string& out) {
  if (table.empty()) {
    std::string lower(kind);
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
    out += fmt::format("{} access list empty: {}-based access control turned off\n", kind, lower);
    return;
  }
  out += fmt::format(
      "{} access list:\n00 01 Cur/MaxCons     {}-name\n== == =========== ======= {:=<31}\n", kind,
      columns, "");
  std::vector<IdSpec> last_first(table.rbegin(), table.rend());
  const bool has_all = !table.front().id;
  if (!has_all) {
    last_first.push_back(
        {.rule = {.mentioned = kAllOperations, .denied = kAllOperations}, .name = "*"});
  }
  for (const IdSpec& spec : last_first) {
    out +=
        fmt::format("{}{:>5} {:>5} {:>7} {}\n", operations_columns(spec.rule), spec.connections,
                    spec.rule.connections_max, spec.id ? std::to_string(*spec.id) : "*", spec.name);
  }
}

}  // namespace pmjit
