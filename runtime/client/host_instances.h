// HostInstances: the names that instances of a host have, and had while it was watched. A collector
// tells names only when it is asked, so they are asked for again when instances come.
//
//   table.refresh(indom, instances, when);     // what the host says as of a time
//   table.name(indom, 3, when)                 // the name then; of one that has gone its last
//
// Times are evaluation times, those of this machine. A name that is not refreshed within the time
// that an identifier goes and comes back with another name stays unnoticed: the protocol has no way
// to notice it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/model/catalog.h"

namespace pmjit {

class HostInstances {
 public:
  // `now`: every instance that the domain has. Those that are not among it stay known, as gone.
  void refresh(InDomId indom, std::span<const Catalog::Instance> now, Stamp when);
  // Has the host ever said what instances the domain has?
  [[nodiscard]] bool knows(InDomId indom) const { return domains_.contains(indom); }
  [[nodiscard]] std::optional<std::string> name(InDomId indom, int32_t instance, Stamp when) const;
  // Newest names of all that are known, ascending by identifier.
  [[nodiscard]] std::vector<Catalog::Instance> all(InDomId indom) const;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const;
  // Counts what changed until then: equal for two times, equal names at both.
  [[nodiscard]] uint64_t epoch(InDomId indom, Stamp when) const;

 private:
  struct Named {
    Stamp from;
    std::string name;
  };
  struct Known {
    std::vector<Named> names;  // by time; the first one holds before its time, too
    Stamp seen{};              // by the last refresh that had it
  };
  struct Watched {
    std::map<int32_t, Known> instances;
    uint64_t changes_before = 0;  // those that are not kept any more
    std::deque<Stamp> changes;
    Stamp refreshed{};
  };
  static void forget_gone(Watched& domain, size_t present);

  std::unordered_map<InDomId, Watched> domains_;
};

}  // namespace pmjit
