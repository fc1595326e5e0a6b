// Domain: the instance sets of one instance domain over time, kept as what changed: an instance's
// history is the list of set numbers from which it had a name, or was gone. So memory follows the
// size of the metadata file even where a hundred thousand sets differ by one instance each.
//
//   domain.replace(t0, {{1,"sda"},{2,"sdb"}});  domain.change(t1, …);     in order of time
//   domain.name(2, t)  →  "sdb" as of the set with the greatest stamp ≤ t
//   for (SetWalk walk(domain); walk.next();) print(walk.stamp(), walk.instances());
//
// Look-ups "at" a time answer as the PMAPI's (pmGetInDom …), those "ever" as its …Archive forms.
// Names are views into the metadata file. Source: spec archives.md §6.2, §6.3, §6.6, §11, §14.4.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct NamedInstance {
  int32_t id = 0;
  std::string_view name{};
  bool gone = false;  // of a delta: deleted
  friend bool operator==(const NamedInstance&, const NamedInstance&) = default;
};

class Domain {
 public:
  // A full set, ascending by id, each id once. One that repeats the set before it, stamp and all,
  // is dropped.
  void replace(Stamp stamp, const std::vector<NamedInstance>& set);
  // Additions and deletions against the set before, ascending by id. False: there is none, or a
  // deleted instance is not in it. A name for an instance that is there already changes nothing.
  [[nodiscard]] bool change(Stamp stamp, const std::vector<NamedInstance>& delta);
  // The sets of both, by time; of equal stamps ours come first, and of equal sets of one stamp the
  // last is kept.
  void merge(const Domain& other);

  [[nodiscard]] std::optional<std::string_view> name(int32_t id, Stamp when) const;
  // Else the last one that it had before.
  [[nodiscard]] std::optional<std::string_view> held_name(int32_t id, Stamp when) const;
  // Equal for two times: the same set is in force.
  [[nodiscard]] uint64_t sets_until(Stamp when) const;
  // The instances that came, went or changed their names behind `from` and not behind `to`,
  // ascending by id.
  [[nodiscard]] std::vector<int32_t> changed_between(Stamp from, Stamp to) const;
  // Every instance there ever was, with its newest name, ascending by id.
  [[nodiscard]] std::vector<Catalog::Instance> all() const;
  // Every name there ever was, some more than once.
  [[nodiscard]] std::vector<std::string> names_ever() const;

  // The set in force, ascending by id. PM_ERR_INDOM_LOG: there is none yet.
  [[nodiscard]] OrPmCode<std::vector<NamedInstance>> instances_at(Stamp when) const;
  // Also matches by the first word of a name (spec §11). PM_ERR_INST_LOG: no such instance then.
  [[nodiscard]] OrPmCode<int32_t> id_at(std::string_view name, Stamp when) const;
  [[nodiscard]] OrPmCode<std::string_view> name_at(int32_t id, Stamp when) const;

  // Every instance there ever was with its newest name: those of the newest set first, ascending by
  // id within one set.
  [[nodiscard]] std::vector<NamedInstance> instances_ever() const;
  // PM_ERR_INST_LOG: there never was one.
  [[nodiscard]] OrPmCode<int32_t> id_ever(std::string_view name) const;
  [[nodiscard]] OrPmCode<std::string_view> name_ever(int32_t id) const;

  [[nodiscard]] size_t set_count() const { return stamps_.size(); }
  [[nodiscard]] std::vector<NamedInstance> newest_set() const;
  // Instances of the largest set there ever was.
  [[nodiscard]] size_t largest_set() const { return largest_; }
  // Stamp of the first set that has the instance; none: no set has it.
  [[nodiscard]] std::optional<Stamp> birth(int32_t id) const;
  // Stamp of the first set after the last that has the instance; none: the newest set has it.
  [[nodiscard]] std::optional<Stamp> death(int32_t id) const;

 private:
  friend class SetWalk;
  struct Event {
    uint32_t set;      // number of the first set for which this holds
    uint32_t history;  // whose
    bool present;
    std::string_view name;
  };
  struct History {
    int32_t id;
    std::vector<uint32_t> events;  // ascending
  };
  struct Member {  // of the newest set
    int32_t id;
    uint32_t history;
  };
  uint32_t history_of(int32_t id);
  void enter(uint32_t history, std::string_view name);
  void leave(uint32_t history);
  [[nodiscard]] bool is_there(uint32_t history) const;
  void changed(uint32_t history);
  [[nodiscard]] std::vector<Member> settled() const;
  void settle();
  void append(const Domain& later);
  void interleave(const Domain& other);
  [[nodiscard]] const History* find(int32_t id) const;
  // The event in force as of a set; null: none, or the instance is gone then.
  [[nodiscard]] const Event* event_at(const History& history, uint32_t set) const;
  // The last event that gives it a name.
  [[nodiscard]] const Event& last_name(const History& history) const;
  // The last set in which the history's `event`th event holds.
  [[nodiscard]] uint32_t last_set(const History& history, size_t event) const;

  std::vector<Stamp> stamps_;        // of the sets, not decreasing
  std::vector<Event> events_;        // ascending by set, within one by id
  std::vector<Member> newest_;       // ascending by id; without what is in unsettled_
  std::vector<uint32_t> unsettled_;  // histories that came into it or left it
  size_t size_ = 0;                  // of the newest set
  std::vector<History> histories_;
  std::unordered_map<int32_t, uint32_t> history_of_;
  size_t largest_ = 0;
};

// The sets of a domain one after the other, each in full.
class SetWalk {
 public:
  explicit SetWalk(const Domain& domain) : domain_(&domain) {}
  // To the next set, the first at first. False: there are no more.
  [[nodiscard]] bool next();
  [[nodiscard]] Stamp stamp() const { return domain_->stamps_[set_ - 1]; }
  // Ascending by id.
  [[nodiscard]] std::span<const NamedInstance> instances() const { return instances_; }

 private:
  const Domain* domain_;
  size_t set_ = 0, event_ = 0;
  std::vector<NamedInstance> instances_, merged_;
};

}  // namespace pmjit
