// Domain: the instance sets of one instance domain over time, kept as what changed: an instance's
// history is the list of set numbers from which it had a name, or was gone. So memory follows the
// size of the metadata file even where a hundred thousand sets differ by one instance each.
//
//   domain.replace(t0, {{1,"sda"},{2,"sdb"}});  domain.change(t1, …);     in order of time
//   domain.name(2, t)  →  "sdb" as of the set with the greatest stamp ≤ t
//
// Names are views into the metadata file. Source: spec archives.md §6.2, §6.3, §6.6, §11.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/model/catalog.h"

namespace pmjit {

struct NamedInstance {
  int32_t id = 0;
  std::string_view name{};
  bool gone = false;  // of a delta: deleted
};

class Domain {
 public:
  // A full set, ascending by id, each id once.
  void replace(Stamp stamp, const std::vector<NamedInstance>& set);
  // Additions and deletions against the set before, ascending by id. False: there is none, or a
  // deleted instance is not in it. A name for an instance that is there already changes nothing.
  [[nodiscard]] bool change(Stamp stamp, const std::vector<NamedInstance>& delta);

  [[nodiscard]] std::optional<std::string_view> name(int32_t id, Stamp when) const;
  // Equal for two times: the same set is in force.
  [[nodiscard]] uint64_t sets_until(Stamp when) const;
  // Every instance there ever was, with its newest name, ascending by id.
  [[nodiscard]] std::vector<Catalog::Instance> all() const;

 private:
  struct Event {
    uint32_t set;  // number of the first set for which this holds
    bool present;
    std::string_view name;
  };
  struct Member {  // of the newest set
    int32_t id;
    uint32_t history;
  };
  uint32_t history_of(int32_t id);
  void enter(uint32_t history, uint32_t set, std::string_view name);
  void leave(uint32_t history, uint32_t set);

  std::vector<Stamp> stamps_;   // of the sets, not decreasing
  std::vector<Member> newest_;  // ascending by id
  std::vector<std::vector<Event>> histories_;
  std::unordered_map<int32_t, uint32_t> history_of_;
};

}  // namespace pmjit
