// InstanceCache: the instances of one domain that an agent has ever seen, by number, name and key.
// What is culled keeps its number until reorganize(), or until its key is stored again. Source:
// spec collector-and-agents.md §2.7.
//
//   InstanceCache* cache = caches().find(indom);          null: there is none
//   CachedInstance* found = cache->by_name("eth0");
#pragma once

#include <array>
#include <climits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/pmda/agent_state.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

enum class CacheState : uint8_t { active, inactive, culled };

struct CachedInstance {
  int inst = 0;
  std::string name{}, key{};  // no key: empty
  void* data = nullptr;       // the agent's
  CacheState state = CacheState::active;
  int64_t stamp = 0;       // when it was last saved while active; 0: stored since, or never
  bool was_active = true;  // since the last save
  uint64_t order = 0;      // of being added
};

class InstanceCache {
 public:
  using Instances = std::map<int, CachedInstance>;

  explicit InstanceCache(pmInDom indom) : indom_(indom) {}
  InstanceCache(const InstanceCache&) = delete;
  InstanceCache& operator=(const InstanceCache&) = delete;

  [[nodiscard]] CachedInstance* find(int inst);  // null: none, or culled
  // By its first word, as names of instances are told apart. Null: there is none.
  [[nodiscard]] CachedInstance* by_name(std::string_view name);
  // Whether it is what the name says: its first word, or all of it.
  [[nodiscard]] bool is_named(const CachedInstance& instance, std::string_view name) const {
    return first_word(name).size() == name.size() || instance.name == name;
  }
  [[nodiscard]] CachedInstance* by_key(std::string_view key);

  // A new one, its number the next one, or the one that its key gives. A negative code where
  // there is none left, or the key belongs to another instance.
  [[nodiscard]] OrPmError<CachedInstance*> add(std::string_view name);
  [[nodiscard]] OrPmError<CachedInstance*> add_keyed(std::string_view name, std::string_view key);
  // One of a file. Null: its number, name or key is taken.
  [[nodiscard]] CachedInstance* add_saved(int inst, std::string_view name, std::string_view key);

  void activate(CachedInstance& instance, void* data);
  void hide(CachedInstance& instance);
  void cull(CachedInstance& instance);
  void reorganize();

  // Two walks at once: the agent's own, and that of a fetch, in which the agent may walk, too.
  enum class Walk : uint8_t { of_agent, of_fetch };
  void rewind(Walk walk);
  [[nodiscard]] int next(Walk walk);  // -1: there is no further active one

  [[nodiscard]] pmInDom indom() const { return indom_; }
  [[nodiscard]] Instances& instances() { return instances_; }
  [[nodiscard]] size_t active() const { return active_; }  // how many of them are
  [[nodiscard]] bool only_strings() const { return strings_; }
  void set_only_strings() { strings_ = true; }
  [[nodiscard]] bool reuses() const { return reuses_; }
  void set_reuses() { reuses_ = true; }
  [[nodiscard]] int highest() const { return highest_; }
  [[nodiscard]] int resize(int highest);  // 0, or why not

  // What has changed since the file was written.
  struct Changes {
    bool instances = false, stamps = false;
  };
  Changes changes;
  // How many keys were hashed how often until there was a number.
  std::map<int, int> hashes;

 private:
  [[nodiscard]] std::string_view first_word(std::string_view name) const {
    return strings_ ? name : name.substr(0, name.find(' '));
  }
  CachedInstance& put(int inst, std::string_view name, std::string_view key);
  [[nodiscard]] OrPmError<int> free_number();
  void forget_names(const CachedInstance& instance);
  void set_state(CachedInstance& instance, CacheState state);

  pmInDom indom_;
  Instances instances_;
  size_t active_ = 0;
  std::array<Instances::iterator, 2> walks_ = {instances_.end(), instances_.end()};
  std::unordered_map<std::string_view, CachedInstance*> names_;  // by first word
  std::unordered_map<std::string_view, CachedInstance*> keys_;
  int highest_ = INT_MAX;
  int lowest_free_ = 0;  // none below is free
  int next_number_ = 0;  // where numbers are not used again
  bool reuses_ = false, strings_ = false;
  uint64_t added_ = 0;
};

// The hash that gives a key its number; `seed` is 0, or the hash before.
[[nodiscard]] uint32_t cache_hash(std::string_view key, uint32_t seed);

class InstanceCaches {
 public:
  [[nodiscard]] InstanceCache* find(pmInDom indom);
  [[nodiscard]] InstanceCache& of(pmInDom indom);  // made where there is none
  [[nodiscard]] std::map<pmInDom, InstanceCache>& all() { return caches_; }

 private:
  std::map<pmInDom, InstanceCache> caches_;
  InstanceCache* last_ = nullptr;
};
[[nodiscard]] InstanceCaches& caches();

// cache_file.cc. The number of instances, or a negative code.
[[nodiscard]] int load_cache(InstanceCache& cache);
[[nodiscard]] int save_cache(InstanceCache& cache, bool stamps_too);

}  // namespace pmjit
