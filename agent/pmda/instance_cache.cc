#include "agent/pmda/instance_cache.h"

#include <bit>

namespace pmjit {

namespace {

constexpr int kHashesMost = 11;  // one, and ten further ones

struct HashState {
  uint32_t a, b, c;

  void mix() {
    a = (a - b - c) ^ (c >> 13);
    b = (b - c - a) ^ (a << 8);
    c = (c - a - b) ^ (b >> 13);
    a = (a - b - c) ^ (c >> 12);
    b = (b - c - a) ^ (a << 16);
    c = (c - a - b) ^ (b >> 5);
    a = (a - b - c) ^ (c >> 3);
    b = (b - c - a) ^ (a << 10);
    c = (c - a - b) ^ (b >> 15);
  }
};

// Bytes are signed there: a large one takes from those before it.
uint32_t shifted(char byte, unsigned bits) {
  return static_cast<uint32_t>(static_cast<signed char>(byte)) << bits;
}
uint32_t word_of(std::string_view key, size_t at, size_t bytes, unsigned first_bit) {
  uint32_t out = 0;
  for (size_t i = 0; i < bytes && at + i < key.size(); ++i) {
    out += shifted(key[at + i], first_bit + static_cast<unsigned>(8 * i));
  }
  return out;
}

}  // namespace

uint32_t cache_hash(std::string_view key, uint32_t seed) {
  constexpr uint32_t kGolden = 0x9e3779b9;
  HashState state{kGolden, kGolden, seed};
  const auto length = static_cast<uint32_t>(key.size());
  for (; key.size() >= 12; key.remove_prefix(12)) {
    state.a += word_of(key, 0, 4, 0);
    state.b += word_of(key, 4, 4, 0);
    state.c += word_of(key, 8, 4, 0);
    state.mix();
  }
  state.c += length;
  state.a += word_of(key, 0, 4, 0);
  state.b += word_of(key, 4, 4, 0);
  state.c += word_of(key, 8, 3, 8);
  state.mix();
  return state.c;
}

CachedInstance* InstanceCache::find(int inst) {
  const auto found = instances_.find(inst);
  if (found == instances_.end() || found->second.state == CacheState::culled) return nullptr;
  return &found->second;
}

CachedInstance* InstanceCache::by_name(std::string_view name) {
  const auto found = names_.find(first_word(name));
  return found == names_.end() ? nullptr : found->second;
}

CachedInstance* InstanceCache::by_key(std::string_view key) {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : found->second;
}

CachedInstance& InstanceCache::put(int inst, std::string_view name, std::string_view key) {
  CachedInstance& out = instances_[inst];
  out = {.inst = inst, .name = std::string(name), .key = std::string(key), .order = added_++};
  names_.try_emplace(first_word(out.name), &out);
  if (!out.key.empty()) keys_.try_emplace(out.key, &out);
  if (inst != INT_MAX) next_number_ = std::max(next_number_, inst + 1);
  ++active_;
  changes.instances = true;
  return out;
}

OrPmError<int> InstanceCache::free_number() {
  if (!reuses_) {
    const bool last_used = instances_.contains(INT_MAX);
    if (!last_used && next_number_ <= highest_) return next_number_;
    reuses_ = true;
  }
  while (instances_.contains(lowest_free_)) {
    if (lowest_free_ >= highest_) {
      char text[32];
      pmNotifyErr(LOG_ERR, "insert_cache: indom %s: too many instances",
                  pmInDomStr_r(indom_, text, sizeof text));
      return std::unexpected(PM_ERR_GENERIC);
    }
    ++lowest_free_;
  }
  return lowest_free_;
}

OrPmError<CachedInstance*> InstanceCache::add(std::string_view name) {
  const auto inst = free_number();
  if (!inst) return std::unexpected(inst.error());
  return &put(*inst, name, {});
}

// What was culled gets its number back, so that a key stands for one number as long as it can.
OrPmError<CachedInstance*> InstanceCache::add_keyed(std::string_view name, std::string_view key) {
  reuses_ = true;
  if (by_key(key) != nullptr) return std::unexpected(PM_ERR_INST);
  uint32_t hash = 0;
  for (int times = 1; times <= kHashesMost; ++times) {
    hash = cache_hash(key, hash);
    const auto inst = static_cast<int>(hash % (static_cast<uint32_t>(highest_) + 1));
    if (find(inst) != nullptr) continue;
    ++hashes[times];
    return &put(inst, name, key);
  }
  return std::unexpected(PM_ERR_GENERIC);
}

CachedInstance* InstanceCache::add_saved(int inst, std::string_view name, std::string_view key) {
  if (instances_.contains(inst)) return nullptr;
  if (by_name(name) != nullptr) return nullptr;
  if (!key.empty() && keys_.contains(key)) return nullptr;
  return &put(inst, name, key);
}

void InstanceCache::set_state(CachedInstance& instance, CacheState state) {
  if (instance.state == CacheState::active) --active_;
  if (state == CacheState::active) ++active_;
  instance.state = state;
}

void InstanceCache::activate(CachedInstance& instance, void* data) {
  set_state(instance, CacheState::active);
  instance.was_active = true;
  instance.data = data;
  changes.stamps = true;
}

void InstanceCache::hide(CachedInstance& instance) { set_state(instance, CacheState::inactive); }

void InstanceCache::forget_names(const CachedInstance& instance) {
  const auto name = names_.find(first_word(instance.name));
  if (name != names_.end() && name->second == &instance) names_.erase(name);
  const auto key = keys_.find(instance.key);
  if (key != keys_.end() && key->second == &instance) keys_.erase(key);
}

void InstanceCache::cull(CachedInstance& instance) {
  forget_names(instance);
  set_state(instance, CacheState::culled);
  changes.instances = true;
}

void InstanceCache::reorganize() {
  for (auto at = instances_.begin(); at != instances_.end();) {
    if (at->second.state != CacheState::culled) {
      ++at;
      continue;
    }
    for (auto& walk : walks_) walk = walk == at ? std::next(at) : walk;
    at = instances_.erase(at);
  }
  lowest_free_ = 0;
}

void InstanceCache::rewind(Walk walk) { walks_[static_cast<size_t>(walk)] = instances_.begin(); }

int InstanceCache::next(Walk walk) {
  auto& at = walks_[static_cast<size_t>(walk)];
  while (at != instances_.end()) {
    const CachedInstance& instance = (at++)->second;
    if (instance.state == CacheState::active) return instance.inst;
  }
  return -1;
}

int InstanceCache::resize(int highest) {
  if (highest < 0) return PM_ERR_SIGN;
  if (!instances_.empty() && instances_.rbegin()->first > highest) return PM_ERR_TOOBIG;
  if (highest != highest_) changes.instances = true;
  highest_ = highest;
  lowest_free_ = 0;
  return 0;
}

InstanceCache* InstanceCaches::find(pmInDom indom) {
  if (last_ != nullptr && last_->indom() == indom) return last_;
  const auto found = caches_.find(indom);
  if (found == caches_.end()) return nullptr;
  return last_ = &found->second;
}

InstanceCache& InstanceCaches::of(pmInDom indom) {
  if (InstanceCache* known = find(indom)) return *known;
  return *(last_ = &caches_.try_emplace(indom, indom).first->second);
}

// Never freed: agents may ask while the process ends.
InstanceCaches& caches() {
  static auto* const all = new InstanceCaches();
  return *all;
}

}  // namespace pmjit
