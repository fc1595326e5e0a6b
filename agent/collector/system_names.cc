// Names of hosts, users and groups as this machine knows them. Each look-up may block.
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "agent/collector/access_lists.h"
#include "agent/collector/logins.h"

namespace pmjit {

namespace {

void add_once(std::vector<PeerAddress>& all, const PeerAddress& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

std::vector<PeerAddress> addresses_by_system(const std::string& host) {
  std::vector<PeerAddress> out;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (host.empty() || getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return out;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    PeerAddress address;
    if (at->ai_family == AF_INET) {
      address.family = PeerFamily::inet;
      sockaddr_in one{};
      std::memcpy(&one, at->ai_addr, sizeof one);
      std::memcpy(address.bytes.data(), &one.sin_addr, 4);
    } else if (at->ai_family == AF_INET6) {
      address.family = PeerFamily::ipv6;
      sockaddr_in6 one{};
      std::memcpy(&one, at->ai_addr, sizeof one);
      std::memcpy(address.bytes.data(), &one.sin6_addr, 16);
    } else {
      continue;
    }
    add_once(out, address);
  }
  freeaddrinfo(found);
  return out;
}

// "localhost" is what this machine is called by others, and loopback, from which it is asked.
std::vector<PeerAddress> addresses_of_this_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
  std::vector<PeerAddress> out = addresses_by_system(name.data());
  for (const char* const loopback : {"127.0.0.1", "::1"}) {
    add_once(out, *parse_peer_address(loopback));
  }
  return out;
}

// Of all groups that a user is in.
std::vector<uint32_t> groups_of_user(const char* name, gid_t primary) {
  std::vector<gid_t> groups(64);
  auto count = static_cast<int>(groups.size());
  if (getgrouplist(name, primary, groups.data(), &count) < 0) {
    groups.resize(static_cast<size_t>(count));
    getgrouplist(name, primary, groups.data(), &count);
  }
  groups.resize(std::min(groups.size(), static_cast<size_t>(count)));
  return {groups.begin(), groups.end()};
}

}  // namespace

std::optional<LoginUser> login_user(const std::string& name) {
  std::vector<char> room(16'384);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(name.c_str(), &entry, room.data(), room.size(), &found) != 0) return {};
  if (found == nullptr) return {};
  return LoginUser{.name = name,
                   .user_id = found->pw_uid,
                   .group_id = found->pw_gid,
                   .group_ids = groups_of_user(name.c_str(), found->pw_gid)};
}

AccessNames system_access_names() {
  return {.addresses = addresses_by_system,
          .user = [](const std::string& name) -> std::optional<uint32_t> {
            const passwd* const found = getpwnam(name.c_str());
            if (found == nullptr) return {};
            return found->pw_uid;
          },
          .group = [](const std::string& name) -> std::optional<uint32_t> {
            const ::group* const found = getgrnam(name.c_str());
            if (found == nullptr) return {};
            return found->gr_gid;
          },
          .own_addresses = addresses_of_this_machine};
}

}  // namespace pmjit
