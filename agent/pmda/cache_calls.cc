// pmdaCache…: what agents call. Source: spec collector-and-agents.md §2.7.
#include "agent/pmda/instance_cache.h"

using namespace pmjit;

namespace {

std::string_view key_of(const char* name, int key_bytes, const void* key) {
  if (key_bytes >= 1 && key != nullptr) {
    return {static_cast<const char*>(key), static_cast<size_t>(key_bytes)};
  }
  return name == nullptr ? std::string_view() : name;
}

int refuse_empty(pmInDom indom) {
  char text[32];
  pmNotifyErr(LOG_ERR, "insert_cache: indom %s: zero length instance name for inst %d",
              pmInDomStr_r(indom, text, sizeof text), -1);
  return PM_ERR_GENERIC;
}

// `key`: null where its number does not come from one.
int store(pmInDom indom, int flags, const char* name, const std::string_view* key, void* data) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  InstanceCache& cache = caches().of(indom);
  if (*name == '\0' && !cache.only_strings()) return refuse_empty(indom);
  CachedInstance* const found = cache.by_name(name);
  if (found == nullptr && flags != PMDA_CACHE_ADD) return PM_ERR_INST;
  if (found != nullptr && !cache.is_named(*found, name)) {
    const bool other_key = flags == PMDA_CACHE_ADD && key != nullptr && found->key != *key;
    return other_key ? PM_ERR_INST : -EINVAL;
  }
  switch (flags) {
    case PMDA_CACHE_HIDE: cache.hide(*found); return found->inst;
    case PMDA_CACHE_CULL: cache.cull(*found); return found->inst;
    case PMDA_CACHE_ADD: break;
    default: return -EINVAL;
  }
  if (found != nullptr) {
    if (key != nullptr && found->key != *key) return PM_ERR_INST;
    cache.activate(*found, data);
    found->stamp = 0;  // it is in use: the next save says until when
    return found->inst;
  }
  const auto made = key == nullptr ? cache.add(name) : cache.add_keyed(name, *key);
  if (!made) return made.error();
  cache.activate(**made, data);
  return (*made)->inst;
}

int give(CachedInstance* found, char** name, int* inst, void** data) {
  if (found == nullptr) return PM_ERR_INST;
  if (name != nullptr) *name = found->name.data();
  if (inst != nullptr) *inst = found->inst;
  if (data != nullptr) *data = found->data;
  return found->state == CacheState::active ? PMDA_CACHE_ACTIVE : PMDA_CACHE_INACTIVE;
}

// How many instances were not so before.
template <class Change>
int change_all(InstanceCache& cache, CacheState to, Change&& change) {
  int out = 0;
  for (auto& [inst, instance] : cache.instances()) {
    if (instance.state == to || instance.state == CacheState::culled) continue;
    change(instance);
    ++out;
  }
  return out;
}

int count_of(InstanceCache& cache, CacheState state) {
  if (state == CacheState::active) return static_cast<int>(cache.active());
  int out = 0;
  for (const auto& [inst, instance] : cache.instances()) out += instance.state == state ? 1 : 0;
  return out;
}

int operate(InstanceCache& cache, int op) {
  switch (op) {
    case PMDA_CACHE_LOAD: return load_cache(cache);
    case PMDA_CACHE_SAVE: return save_cache(cache, false);
    case PMDA_CACHE_SYNC: return save_cache(cache, true);
    case PMDA_CACHE_STRINGS:
      if (!cache.instances().empty()) return -E2BIG;
      cache.set_only_strings();
      return 0;
    case PMDA_CACHE_ACTIVE:
      return change_all(cache, CacheState::active,
                        [&](CachedInstance& instance) { cache.activate(instance, instance.data); });
    case PMDA_CACHE_INACTIVE:
      return change_all(cache, CacheState::inactive,
                        [&](CachedInstance& instance) { cache.hide(instance); });
    case PMDA_CACHE_CULL:
      return change_all(cache, CacheState::culled,
                        [&](CachedInstance& instance) { cache.cull(instance); });
    case PMDA_CACHE_SIZE: return static_cast<int>(cache.instances().size());
    case PMDA_CACHE_SIZE_ACTIVE: return count_of(cache, CacheState::active);
    case PMDA_CACHE_SIZE_INACTIVE: return count_of(cache, CacheState::inactive);
    case PMDA_CACHE_REUSE: cache.set_reuses(); return 0;
    case PMDA_CACHE_WALK_REWIND: cache.rewind(InstanceCache::Walk::of_agent); return 0;
    case PMDA_CACHE_WALK_NEXT: return cache.next(InstanceCache::Walk::of_agent);
    case PMDA_CACHE_REORG: cache.reorganize(); return 0;
    case PMDA_CACHE_DUMP: __pmdaCacheDump(stderr, cache.indom(), 0); return 0;
    case PMDA_CACHE_DUMP_ALL: __pmdaCacheDump(stderr, cache.indom(), 1); return 0;
    default: return -EINVAL;
  }
}

}  // namespace

int pmdaCacheStore(pmInDom indom, int flags, const char* name, void* data) {
  return at_c_border([&] { return store(indom, flags, name, nullptr, data); });
}

int pmdaCacheStoreKey(pmInDom indom, int flags, const char* name, int key_bytes, const void* key,
                      void* data) {
  return at_c_border([&] {
    const std::string_view hint = key_of(name, key_bytes, key);
    return store(indom, flags, name, &hint, data);
  });
}

int pmdaCacheLookup(pmInDom indom, int inst, char** name, void** data) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  return at_c_border([&] { return give(caches().of(indom).find(inst), name, nullptr, data); });
}

int pmdaCacheLookupName(pmInDom indom, const char* name, int* inst, void** data) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  return at_c_border([&] { return give(caches().of(indom).by_name(name), nullptr, inst, data); });
}

int pmdaCacheLookupKey(pmInDom indom, const char* name, int key_bytes, const void* key,
                       char** found_name, int* inst, void** data) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  return at_c_border([&] {
    const std::string_view hint = key_of(name, key_bytes, key);
    return give(caches().of(indom).by_key(hint), found_name, inst, data);
  });
}

int pmdaCacheOp(pmInDom indom, int op) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  return at_c_border([&] {
    if (op == PMDA_CACHE_CHECK) return caches().find(indom) == nullptr ? 0 : 1;
    return operate(caches().of(indom), op);
  });
}

int pmdaCachePurgeCallback(pmInDom indom, time_t recent, void (*call)(void*)) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  return at_c_border([&] {
    InstanceCache& cache = caches().of(indom);
    timeval now{};
    pmtimevalNow(&now);
    const int64_t oldest = now.tv_sec - recent;
    int out = 0;
    for (auto& [inst, instance] : cache.instances()) {
      if (instance.state == CacheState::culled) continue;
      if (instance.stamp == 0 || instance.stamp >= oldest) continue;
      if (call != nullptr && instance.data != nullptr) call(instance.data);
      cache.cull(instance);
      ++out;
    }
    return out;
  });
}

int pmdaCachePurge(pmInDom indom, time_t recent) {
  return pmdaCachePurgeCallback(indom, recent, nullptr);
}

int pmdaCacheResize(pmInDom indom, int highest) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  return at_c_border([&] { return caches().of(indom).resize(highest); });
}
