// Meeting: instances of a domain as those of an equivalent one, by their names. Private to
// runtime/exec.
//
//   Meeting meeting(names, catalog, rosters, from, to);
//   meeting.met(roster, observed, when)  →  its lanes in the order of their new identifiers
//
// A name that the other domain has at that time is the instance of that name there; one that it
// has not is a guest (guest_names.h). An instance without a name meets nobody: it is there, and
// unknown.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/exec/guest_names.h"
#include "runtime/model/roster.h"

namespace pmjit {

struct MetLanes {
  std::vector<uint32_t> lanes{};  // of the roster that meets
  std::vector<bool> nameless{};   // of these lanes; empty: all of them have names
  RosterId roster{};              // that they are, ascending
  bool in_order = true;           // lanes is 0, 1, 2 …
};

class Meeting {
 public:
  // All of them outlive it. `recorded`: without guests.
  Meeting(const MetNames& names, const Catalog& recorded, Rosters& rosters, InDomId from,
          InDomId to)
      : names_(names),
        recorded_(recorded),
        rosters_(rosters),
        from_(from),
        to_(to),
        own_only_(from != to && recorded.domain_of_all_hosts(to) == from) {}

  // `roster` is ascending. Its instances have the names of `when`, or where they have left by then
  // those of `observed`. Valid until the next call.
  const MetLanes& met(RosterId roster, Stamp observed, Stamp when);

 private:
  struct Epochs {
    uint64_t observed = Catalog::kAskAgain, from = Catalog::kAskAgain, to = Catalog::kAskAgain;
    [[nodiscard]] bool ask_again() const {
      return std::max({observed, from, to}) == Catalog::kAskAgain;
    }
    friend bool operator==(const Epochs&, const Epochs&) = default;
  };
  struct Known {
    Epochs epochs{};
    MetLanes made{};
  };
  void look_at_domain(Stamp when, uint64_t epoch);
  [[nodiscard]] MetLanes make(RosterId roster, Stamp observed, Stamp when);

  const MetNames& names_;
  const Catalog& recorded_;
  Rosters& rosters_;
  InDomId from_, to_;
  bool own_only_;  // from all hosts to one: what other hosts have is no guest
  std::unordered_map<uint64_t, Known> known_;  // of a roster
  // The domain that they come to, as of an epoch.
  std::unordered_map<std::string, int32_t> instances_;
  uint64_t epoch_ = Catalog::kAskAgain;
};

}  // namespace pmjit
