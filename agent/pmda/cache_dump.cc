// Prints a cache as text, to debug an agent.
#include <algorithm>
#include <vector>

#include "agent/pmda/instance_cache.h"

using namespace pmjit;

namespace {

constexpr uint32_t kBucketsLeast = 16;
constexpr size_t kKeyBytesShown = 64;

const char* state_text(CacheState state) {
  switch (state) {
    case CacheState::active: return "active";
    case CacheState::inactive: return "inactive";
    case CacheState::culled: return "empty";
  }
  return "";
}

void dump_key(FILE* file, std::string_view key) {
  if (key.empty()) return;
  std::fputs(" [key=0x", file);
  for (const char c : key.substr(0, kKeyBytesShown)) {
    std::fprintf(file, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  std::fputs(key.size() > kKeyBytesShown ? "...]" : "]", file);
}

template <class HashOf>
void dump_buckets(FILE* file, const char* title, InstanceCache& cache, HashOf&& hash_of) {
  std::vector<const CachedInstance*> newest_first;
  for (const auto& [inst, instance] : cache.instances()) newest_first.push_back(&instance);
  std::ranges::sort(newest_first, std::greater(), &CachedInstance::order);
  std::fprintf(file, "%s\n", title);
  for (uint32_t bucket = 0; bucket < kBucketsLeast; ++bucket) {
    std::fprintf(file, " [%03u]", bucket);
    for (const CachedInstance* instance : newest_first) {
      if (hash_of(*instance) % kBucketsLeast == bucket)
        std::fprintf(file, " -> %d", instance->inst);
    }
    std::fputc('\n', file);
  }
}

}  // namespace

void __pmdaCacheDump(FILE* file, pmInDom indom, int all) {
  if (file == nullptr) return;
  at_c_border([&] {
    InstanceCache* cache = caches().find(indom);
    if (cache == nullptr) return 0;
    char text[32];
    std::fprintf(
        file, "pmdaCacheDump: indom %s: nentry=%zu ins_mode=%d hstate=%d hsize=%u\n",
        pmInDomStr_r(indom, text, sizeof text), cache->instances().size(), cache->reuses() ? 1 : 0,
        (cache->changes.instances ? 1 : 0) | (cache->changes.stamps ? 2 : 0), kBucketsLeast);
    for (const auto& [inst, instance] : cache->instances()) {
      std::fprintf(file, "%11d %9s %p %s", inst, state_text(instance.state), instance.data,
                   instance.name.c_str());
      dump_key(file, instance.key);
      std::fputc('\n', file);
    }
    if (all == 0) return 0;
    std::fputs("pmdaCacheStoreKey hash stats ...\n", file);
    for (const auto& [times, count] : cache->hashes) {
      if (times == 1) {
        std::fprintf(file, "hash once: %d times\n", count);
      } else {
        std::fprintf(file, "hash %d times: %d times\n", times, count);
      }
    }
    dump_buckets(file, "inst hash", *cache, [](const CachedInstance& instance) {
      return static_cast<uint32_t>(instance.inst);
    });
    dump_buckets(file, "name hash", *cache, [](const CachedInstance& instance) {
      const std::string_view name = instance.name;
      return cache_hash(name.substr(0, name.find(' ')), 0);
    });
    return 0;
  });
}

void __pmdaCacheDumpAll(FILE* file, int all) {
  for (const auto& [indom, cache] : caches().all()) __pmdaCacheDump(file, indom, all);
}
