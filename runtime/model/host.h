// Hosts: whose values these are. A run has one table of its hosts, in the order in which they were
// named; a HostId is a place in it. Everything of a run that has one host may leave it unknown.
//
//   Hosts hosts;
//   const HostId web1 = hosts.add({.name = "web1", .zone = "Europe/Berlin"});
//   hosts.find("web1")  →  web1        hosts[web1].name  →  "web1"
//
// What is of several hosts stands in ascending order of HostId: the order of results, of a sum over
// hosts, and of the segments of a roster (roster.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/ids.h"

namespace pmjit {

// Unknown: no host in particular, or the only one.
struct HostId : Id<HostId> {};

struct Host {
  std::string name{};
  std::string zone{};  // its time zone, as Zone takes it; empty: not known
};

class Hosts {
 public:
  // The caller has asked find() for the name.
  HostId add(Host host) { return store_.add(std::move(host)); }
  [[nodiscard]] std::optional<HostId> find(std::string_view name) const {
    for (uint32_t i = 0; i < store_.size(); ++i) {
      if (store_[HostId{{i}}].name == name) return HostId{{i}};
    }
    return std::nullopt;
  }
  [[nodiscard]] const Host& operator[](HostId id) const { return store_[id]; }
  [[nodiscard]] uint32_t size() const { return store_.size(); }
  [[nodiscard]] auto begin() const { return store_.begin(); }
  [[nodiscard]] auto end() const { return store_.end(); }

 private:
  Store<HostId, Host> store_;
};

}  // namespace pmjit
