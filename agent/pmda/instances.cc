// Instances of a domain: which the profile asks for, and what pmdaInstance() says of them. A domain
// that has a cache is the cache's active entries, whatever the table of the agent says. Source:
// spec collector-and-agents.md §2.5.
#include <algorithm>
#include <span>

#include "agent/pmda/agent_state.h"
#include "agent/pmda/instance_cache.h"

namespace pmjit {

bool profile_has(const pmProfile* profile, pmInDom indom, int inst) {
  if (profile == nullptr) return true;
  for (int i = 0; i < profile->profile_len; ++i) {
    const pmInDomProfile& of_domain = profile->profile[i];
    if (of_domain.indom != indom) continue;
    const std::span listed(of_domain.instances,
                           static_cast<size_t>(std::max(of_domain.instances_len, 0)));
    const bool is_listed = std::ranges::find(listed, inst) != listed.end();
    return is_listed == (of_domain.state == PM_PROFILE_EXCLUDE);
  }
  return profile->state == PM_PROFILE_INCLUDE;
}

}  // namespace pmjit

using namespace pmjit;

namespace {

constexpr auto kWalk = InstanceCache::Walk::of_fetch;

std::span<const pmdaInstid> listed(const pmdaIndom* row) {
  if (row == nullptr || row->it_set == nullptr || row->it_numinst <= 0) return {};
  return {row->it_set, static_cast<size_t>(row->it_numinst)};
}

// Of that domain.
bool takes_all(const pmProfile* profile, pmInDom indom) {
  if (profile == nullptr) return true;
  const std::span of_domains(profile->profile,
                             static_cast<size_t>(std::max(profile->profile_len, 0)));
  return profile->state == PM_PROFILE_INCLUDE &&
         std::ranges::find(of_domains, indom, &pmInDomProfile::indom) == of_domains.end();
}

// "1" is the instance "1 minute": a name without a blank may be what stands before the first one.
bool is_named(std::string_view name, std::string_view asked) {
  if (name == asked) return true;
  return !asked.contains(' ') && name.substr(0, name.find(' ')) == asked &&
         name.size() > asked.size();
}

struct FoundInstance {
  int inst;
  std::string name;
};

std::vector<FoundInstance> all_of(InstanceCache* cache, const pmdaIndom* row) {
  std::vector<FoundInstance> out;
  if (cache == nullptr) {
    for (const pmdaInstid& each : listed(row)) {
      out.push_back({each.i_inst, each.i_name == nullptr ? "" : each.i_name});
    }
    return out;
  }
  for (const auto& [inst, instance] : cache->instances()) {
    if (instance.state == CacheState::active) out.push_back({inst, instance.name});
  }
  return out;
}

// For whoever frees an answer: each part is one block of malloc's.
pmInResult* give_instances(pmInDom indom, const std::vector<FoundInstance>& found, bool with_ids,
                           bool with_names) {
  auto* out = static_cast<pmInResult*>(give_bytes(sizeof(pmInResult)));
  *out = {};
  out->indom = indom;
  out->numinst = static_cast<int>(found.size());
  if (with_ids) out->instlist = static_cast<int*>(give_bytes(found.size() * sizeof(int)));
  if (with_names) out->namelist = static_cast<char**>(give_bytes(found.size() * sizeof(char*)));
  for (size_t i = 0; i < found.size(); ++i) {
    if (with_ids) out->instlist[i] = found[i].inst;
    if (with_names) out->namelist[i] = give_text(found[i].name);
  }
  return out;
}

}  // namespace

int __pmdaCntInst(pmInDom indom, pmdaExt* ext) {
  if (ext == nullptr) return 0;
  if (indom == PM_INDOM_NULL) return 1;
  return at_c_border([&] {
    int out = 0;
    if (InstanceCache* cache = caches().find(indom)) {
      if (takes_all(ext->e_prof, indom)) return static_cast<int>(cache->active());
      for (const auto& [inst, instance] : cache->instances()) {
        const bool shown = instance.state == CacheState::active;
        out += shown && profile_has(ext->e_prof, indom, inst) ? 1 : 0;
      }
      return out;
    }
    const pmdaIndom* row = find_indom(indom, ext);
    if (row == nullptr) {
      char text[32];
      pmNotifyErr(LOG_WARNING, "__pmdaCntInst: unknown indom %s",
                  pmInDomStr_r(indom, text, sizeof text));
    }
    for (const pmdaInstid& each : listed(row)) {
      out += profile_has(ext->e_prof, indom, each.i_inst) ? 1 : 0;
    }
    return out;
  });
}

// What pmdaExt shows of a walk: e_singular is 0 until the one value is given, -1 in a domain;
// e_ordinal is the place of the next instance, e_idp its domain's row.
void __pmdaStartInst(pmInDom indom, pmdaExt* ext) {
  if (ext == nullptr) return;
  ext->e_ordinal = ext->e_singular = -1;
  ext->e_idp = nullptr;
  AgentState* state = state_of(ext);
  if (indom == PM_INDOM_NULL) {
    ext->e_singular = 0;
    return;
  }
  if (state == nullptr) return;
  state->walked = indom;
  state->walked_cache = caches().find(indom);
  ext->e_ordinal = 0;
  if (state->walked_cache != nullptr) {
    state->walked_cache->rewind(kWalk);
  } else {
    ext->e_idp = find_indom(indom, ext);
  }
}

int __pmdaNextInst(int* inst, pmdaExt* ext) {
  if (inst == nullptr || ext == nullptr) return 0;
  if (ext->e_singular == 0) {
    *inst = static_cast<int>(PM_IN_NULL);
    ext->e_singular = -1;
    return 1;
  }
  const AgentState* state = state_of(ext);
  if (state == nullptr || ext->e_ordinal < 0) return 0;
  if (state->walked_cache != nullptr) {
    for (int next = 0; (next = state->walked_cache->next(kWalk)) >= 0;) {
      if (!profile_has(ext->e_prof, state->walked, next)) continue;
      *inst = next;
      return 1;
    }
  } else {
    const std::span rows = listed(ext->e_idp);
    while (static_cast<size_t>(ext->e_ordinal) < rows.size()) {
      const int next = rows[static_cast<size_t>(ext->e_ordinal++)].i_inst;
      if (!profile_has(ext->e_prof, state->walked, next)) continue;
      *inst = next;
      return 1;
    }
  }
  ext->e_ordinal = -1;
  return 0;
}

int pmdaInstance(pmInDom indom, int inst, char* name, pmInResult** out, pmdaExt* ext) {
  if (out == nullptr || ext == nullptr) return -EINVAL;
  return at_c_border([&] {
    const pmdaIndom* row = find_indom(indom, ext);
    InstanceCache* cache = caches().find(indom);
    if (row == nullptr && cache == nullptr) return PM_ERR_INDOM;
    const bool by_id = inst != static_cast<int>(PM_IN_NULL);
    if (by_id && name != nullptr) return PM_ERR_INST;
    std::vector<FoundInstance> found = all_of(cache, row);
    if (by_id || name != nullptr) {
      const auto wanted = std::ranges::find_if(found, [&](const FoundInstance& each) {
        return by_id ? each.inst == inst : is_named(each.name, name);
      });
      if (wanted == found.end()) return PM_ERR_INST;
      found = {*wanted};
    }
    *out = give_instances(indom, found, !by_id, name == nullptr);
    return 0;
  });
}
