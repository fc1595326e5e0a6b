// What -h names: a host, a list of hosts (`web[01-40]`), or a file with a line per host (`@FILE`).
//
//   const auto hosts = named_hosts({"web[1-3]", "@db.txt"});
//   if (!hosts) return complain(hosts.error().text());
//
// Hosts of lists are called in results as they are there; others what they call themselves.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/client/host_fleet.h"

namespace pmjit {

// In the order of the words, at least one. An error says which word or line is wrong, and why.
[[nodiscard]] Result<std::vector<FleetHost>> named_hosts(const std::vector<std::string>& words);

}  // namespace pmjit
