#include "runtime/pmapi/local_context.h"

#include <fmt/format.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/base/local_host.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"

namespace pmjit {

namespace {

struct FreeInstances {
  void operator()(pmInResult* found) const { __pmFreeInResult(found); }
};
using FoundInstances = std::unique_ptr<pmInResult, FreeInstances>;
struct FreeBytes {
  void operator()(void* bytes) const { std::free(bytes); }
};
template <class T>
using FromAgent = std::unique_ptr<T, FreeBytes>;

OrPmError<FoundInstances> ask_instances(const LocalAgent& agent, InDomId indom, int instance,
                                        char* name) {
  pmInResult* found = nullptr;
  const int code = agent.all().instance(indom, instance, name, &found, agent.all().ext);
  if (code < 0) return pm_fail(code);
  if (found == nullptr) return pm_fail(pm_err::E_INST);
  return FoundInstances(found);
}

// Of the machine and of who asks.
int context_labels(pmLabelSet** out) {
  std::string machine =
      fmt::format("{{\"domainname\":{},\"hostname\":{}", json_quoted(local_domain_name()),
                  json_quoted(local_host_name()));
  if (const std::string id = local_machine_id(); !id.empty()) {
    machine += ",\"machineid\":" + json_quoted(id);
  }
  const std::string user = fmt::format("{{\"groupid\":{},\"userid\":{}}}", ::getgid(), ::getuid());
  *out = nullptr;
  int code = __pmAddLabels(out, (machine + "}").c_str(), PM_LABEL_CONTEXT);
  if (code >= 0) code = __pmAddLabels(out, user.c_str(), PM_LABEL_CONTEXT | PM_LABEL_OPTIONAL);
  return code < 0 ? code : 1;
}

// The domain that labels of a level and the thing that has them belong to.
unsigned domain_of(LabelLevel level, uint32_t ident) {
  if (level == LabelLevel::domain) return ident;
  const bool of_instances = level == LabelLevel::indom || level == LabelLevel::instances;
  return of_instances ? pmInDom_domain(ident) : pmID_domain(ident);
}

}  // namespace

int open_local_agents() {
  if (const char* container = std::getenv("PCP_CONTAINER"); container != nullptr) {
    pmNotifyErr(LOG_ERR, "container %s: local contexts see the whole machine only", container);
    return PM_ERR_NYI;
  }
  return local_agents().open();
}

LocalContext::LocalContext(const LoadedNames& loaded, int handle)
    : loaded_(loaded, nullptr), handle_(handle) {
  local_agents().begin_context(handle_);
}

LocalContext::~LocalContext() {
  if (local_agents().usable_here()) local_agents().end_context(handle_);
}

// ---- names

// The one whose dynamic subtree the name is in. PM_ERR_NAME: it is in none.
OrPmError<LocalAgent*> LocalContext::agent_above(std::string_view name) {
  while (!name.empty()) {
    if (const auto root = loaded_.look_up(name); root && IS_DYNAMIC_ROOT(*root)) {
      const auto agent = asked(pmID_cluster(*root));
      if (agent && (*agent)->names() == nullptr) return pm_fail(pm_err::E_NAME);
      return agent;
    }
    const size_t dot = name.rfind('.');
    name = name.substr(0, dot == name.npos ? 0 : dot);
  }
  return pm_fail(pm_err::E_NAME);
}

OrPmError<PmId> LocalContext::look_up_one(std::string_view name) {
  const auto loaded = loaded_.look_up(name);
  if (loaded || loaded.error() != pm_err::E_NAME) return loaded;
  const auto agent = agent_above(name);
  if (!agent) return pm_fail(agent.error());
  pmID out = PM_ID_NULL;
  const int code = (*agent)->names()->pmid(std::string(name).c_str(), &out, (*agent)->all().ext);
  if (code < 0) return pm_fail(code);
  return out;
}

std::vector<OrPmError<PmId>> LocalContext::look_up_names(std::span<const std::string_view> names) {
  std::vector<OrPmError<PmId>> out;
  for (const std::string_view name : names) out.push_back(look_up_one(name));
  return out;
}

OrPmError<std::vector<std::string>> LocalContext::names(PmId pmid) {
  auto loaded = loaded_.names(pmid);
  if (loaded || loaded.error() != pm_err::E_PMID) return loaded;
  const auto agent = asked(pmID_domain(pmid));
  if (!agent) return pm_fail(agent.error());
  if ((*agent)->names() == nullptr) return loaded;
  char** found = nullptr;
  const int count = (*agent)->names()->name(pmid, &found, (*agent)->all().ext);
  const FromAgent<char*> owned(found);
  if (count <= 0 || found == nullptr) return pm_fail(count < 0 ? count : pm_err::E_PMID);
  return std::vector<std::string>(found, found + count);
}

OrPmError<std::vector<Context::Child>> LocalContext::children(std::string_view name) {
  // The root of a dynamic subtree is a leaf of those that are loaded.
  const auto root = loaded_.look_up(name);
  auto loaded = loaded_.children(name);
  const bool dynamic = root && IS_DYNAMIC_ROOT(*root);
  if (!dynamic && (loaded || loaded.error() != pm_err::E_NAME)) return loaded;
  const auto agent = agent_above(name);
  if (!agent) return pm_fail(agent.error());
  char** found = nullptr;
  int* kinds = nullptr;
  const int count = (*agent)->names()->children(std::string(name).c_str(), 0, &found, &kinds,
                                                (*agent)->all().ext);
  const FromAgent<char*> owned(found);
  const FromAgent<int> owned_kinds(kinds);
  if (count < 0) return pm_fail(count);
  std::vector<Child> out;
  for (int i = 0; i < count && found != nullptr; ++i) {
    out.push_back({.name = found[i], .leaf = kinds == nullptr || kinds[i] == PMNS_LEAF_STATUS});
  }
  return out;
}

OrPmError<std::vector<Context::Leaf>> LocalContext::leaves(std::string_view name) {
  std::vector<Leaf> out;
  const int code = walk_names(
      name, [&](const std::string& at) { return children(at); },
      [&](const std::string& leaf) { out.push_back({leaf, look_up(leaf).value_or(kNullId)}); });
  if (code < 0) return pm_fail(code);
  return out;
}

// ---- metadata

std::vector<OrPmError<Desc>> LocalContext::describe_metrics(std::span<const PmId> metrics) {
  std::vector<OrPmError<Desc>> out;
  for (const PmId pmid : metrics) {
    const auto agent = asked(pmID_domain(pmid));
    pmDesc desc{};
    const int code = agent ? (*agent)->all().desc(pmid, &desc, (*agent)->all().ext) : agent.error();
    if (code < 0) {
      out.push_back(pm_fail(code));
    } else {
      out.push_back(desc_of(desc));
    }
  }
  return out;
}

OrPmError<std::string> LocalContext::text(unsigned ident, unsigned domain, unsigned what,
                                          TextKind kind) const {
  const auto agent = asked(domain);
  if (!agent) return pm_fail(agent.error());
  const unsigned how = one_line_stands_in_ ? what : what | PM_TEXT_DIRECT;
  const auto ask = [&](TextKind wanted) -> OrPmError<std::string> {
    char* said = nullptr;
    const int code = (*agent)->all().text(static_cast<int>(ident),
                                          static_cast<int>(how | static_cast<unsigned>(wanted)),
                                          &said, (*agent)->all().ext);
    if (code < 0) return pm_fail(code);
    if (said == nullptr) return pm_fail(pm_err::E_TEXT);
    return std::string(said);
  };
  auto out = ask(kind);
  const bool missing = out ? out->empty() : out.error() == pm_err::E_TEXT;
  const bool other = kind == TextKind::help && one_line_stands_in_;
  if (missing && other) return ask(TextKind::one_line);
  return out;
}

OrPmError<std::string> LocalContext::metric_text(TextKind kind, PmId pmid) {
  return text(pmid, pmID_domain(pmid), PM_TEXT_PMID, kind);
}

OrPmError<std::string> LocalContext::indom_text(TextKind kind, InDomId indom) {
  return text(indom, pmInDom_domain(indom), PM_TEXT_INDOM, kind);
}

OrPmError<std::vector<Context::Instance>> LocalContext::instances(InDomId indom) {
  const auto agent = asked(pmInDom_domain(indom));
  if (!agent) return pm_fail(agent.error());
  const auto found = ask_instances(**agent, indom, static_cast<int>(PM_IN_NULL), nullptr);
  if (!found) return pm_fail(found.error());
  std::vector<Instance> out;
  for (int i = 0; i < (*found)->numinst; ++i) {
    const char* const name = (*found)->namelist == nullptr ? nullptr : (*found)->namelist[i];
    out.push_back({.id = (*found)->instlist[i], .name = name == nullptr ? "" : name});
  }
  return out;
}

OrPmError<int32_t> LocalContext::instance_id(InDomId indom, std::string_view name) {
  const auto agent = asked(pmInDom_domain(indom));
  if (!agent) return pm_fail(agent.error());
  std::string wanted(name);
  const auto found = ask_instances(**agent, indom, static_cast<int>(PM_IN_NULL), wanted.data());
  if (!found) return pm_fail(found.error());
  if ((*found)->numinst < 1 || (*found)->instlist == nullptr) return pm_fail(pm_err::E_INST);
  return (*found)->instlist[0];
}

OrPmError<std::string> LocalContext::instance_name(InDomId indom, int32_t instance) {
  const auto agent = asked(pmInDom_domain(indom));
  if (!agent) return pm_fail(agent.error());
  const auto found = ask_instances(**agent, indom, instance, nullptr);
  if (!found) return pm_fail(found.error());
  const bool named = (*found)->numinst > 0 && (*found)->namelist != nullptr;
  if (!named || (*found)->namelist[0] == nullptr) return pm_fail(pm_err::E_INST);
  return std::string((*found)->namelist[0]);
}

int LocalContext::label_sets(LabelLevel level, uint32_t ident, pmLabelSet** out) {
  *out = nullptr;
  if (level == LabelLevel::context) return context_labels(out);
  const auto found = asked(domain_of(level, ident));
  if (!found) return found.error();
  const LocalAgent& agent = **found;
  if (agent.interface() >= PMDA_INTERFACE_7) {
    const auto type = static_cast<int>(level);
    return agent.dispatch->version.seven.label(static_cast<int>(ident), type, out, agent.all().ext);
  }
  if (level != LabelLevel::domain) return 0;
  return __pmGetDomainLabels(agent.domain, agent.path.c_str(), out);
}

OrPmError<std::vector<HostLabels>> LocalContext::labels(LabelLevel level, uint32_t ident) {
  pmLabelSet* sets = nullptr;
  const int count = label_sets(level, ident, &sets);
  if (count < 0) return pm_fail(count);
  std::vector<HostLabels> out;
  for (int i = 0; i < count && sets != nullptr; ++i) {
    const pmLabelSet& set = sets[i];
    HostLabels& one = out.emplace_back();
    one.instance = static_cast<int32_t>(set.inst);
    if (set.json != nullptr) one.json.assign(set.json, set.jsonlen);
    for (int k = 0; k < set.nlabels && set.labels != nullptr; ++k) {
      const pmLabel& label = set.labels[k];
      one.places.push_back({.name_at = static_cast<uint16_t>(label.name),
                            .name_bytes = static_cast<uint8_t>(label.namelen),
                            .flags = static_cast<uint8_t>(label.flags),
                            .value_at = static_cast<uint16_t>(label.value),
                            .value_bytes = static_cast<uint16_t>(label.valuelen)});
    }
  }
  pmFreeLabelSets(sets, count);
  return out;
}

// ---- values

void LocalContext::tell_profile(LocalAgent& agent, const Profile& profile) {
  if (profile_ == nullptr || profile_->profile() != profile) {
    profile_ = std::make_shared<LocalProfile>(profile);
  }
  if (agent.told == profile_) return;
  // The one before stays until the agent has another.
  const std::shared_ptr<LocalProfile> before = std::exchange(agent.told, profile_);
  (void)agent.all().profile(profile_->for_agents(), agent.all().ext);
}

// The agent's blocks are its own again when it has been asked.
void LocalContext::keep_blocks(FetchedSet& set) {
  if (set.format == ValueFormat::in_place) return;
  for (Value& value : set.values) {
    std::byte* const kept = arena_.take(value.block.size());
    std::ranges::copy(value.block, kept);
    value.block = {kept, value.block.size()};
  }
}

void LocalContext::fetch_of_agent(LocalAgent& agent, std::span<const size_t> places,
                                  std::span<const PmId> metrics, Fetched& out) {
  std::vector<pmID> wanted;
  for (const size_t place : places) wanted.push_back(metrics[place]);
  pmdaExt* const ext = agent.all().ext;
  pmResult* result = nullptr;
  const int code = agent.all().fetch(static_cast<int>(wanted.size()), wanted.data(), &result, ext);
  if (code < 0 || result == nullptr) {
    for (const size_t place : places) {
      out.sets[place].count = code < 0 ? code : static_cast<int>(pm_err::E_VALUE);
    }
    return;
  }
  std::vector<FetchedSet> sets = sets_of(result->numpmid, result->vset);
  for (size_t i = 0; i < std::min(sets.size(), places.size()); ++i) {
    keep_blocks(sets[i]);
    sets[i].pmid = wanted[i];
    out.sets[places[i]] = std::move(sets[i]);
  }
  if (ext->e_resultCallBack != nullptr) ext->e_resultCallBack(result);
}

Result<void> LocalContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                 Fetched& out) {
  arena_.clear();
  out.sets.assign(metrics.size(), {});
  std::vector<bool> is_answered(metrics.size());
  for (size_t first = 0; first < metrics.size(); ++first) {
    if (is_answered[first]) continue;
    const unsigned domain = pmID_domain(metrics[first]);
    std::vector<size_t> places;
    for (size_t i = first; i < metrics.size(); ++i) {
      if (pmID_domain(metrics[i]) != domain) continue;
      places.push_back(i);
      is_answered[i] = true;
      out.sets[i].pmid = metrics[i];
    }
    const auto agent = asked(domain);
    if (!agent) {
      for (const size_t place : places) out.sets[place].count = agent.error();
      continue;
    }
    tell_profile(**agent, profile);
    fetch_of_agent(**agent, places, metrics, out);
  }
  out.stamp = stamp_now();
  return {};
}

Result<void> LocalContext::fetch_stamp(Fetched& out) {
  out.sets.clear();
  out.stamp = stamp_now();
  return {};
}

// One after the other, until one is refused.
OrPmError<void> LocalContext::store(std::span<const FetchedSet> sets) {
  for (const FetchedSet& set : sets) {
    const auto agent = asked(pmID_domain(set.pmid));
    if (!agent) return pm_fail(agent.error());
    void* const result = give_result({.stamp = stamp_now(), .sets = {set}}, false);
    const int code = (*agent)->all().store(static_cast<pmResult*>(result), (*agent)->all().ext);
    free_result(result);
    if (code < 0) return pm_fail(code);
  }
  return {};
}

}  // namespace pmjit
