// Labels: of hosts and archives, and several sets as one. Source: spec pmapi.md §19.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "runtime/archive/reader/labels.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/local_context.h"
#include "runtime/pmapi/open_context.h"
#include "runtime/text/print_value.h"

using namespace pmjit;

namespace {

// The text and the places of its labels, for pmFreeLabelSets().
struct MadeSet {
  int32_t instance = kSingular;
  int32_t count = 0;  // below 0: why there are no labels
  std::string json{};
  std::vector<pmLabel> labels{};
};

MadeSet made_of(const HostLabels& sent) {
  MadeSet out{.instance = sent.instance,
              .count = static_cast<int32_t>(sent.places.size()),
              .json = sent.json};
  for (const wire::LabelPlace& place : sent.places) {
    out.labels.push_back({.name = place.name_at,
                          .namelen = place.name_bytes,
                          .flags = place.flags,
                          .value = place.value_at,
                          .valuelen = place.value_bytes});
  }
  return out;
}

MadeSet made_of(const LabelSet& recorded) {
  MadeSet out{
      .instance = recorded.instance, .count = recorded.count, .json = std::string(recorded.json)};
  for (size_t i = 0; i < recorded.size(); ++i) {
    out.labels.push_back(to_c(recorded.entry(i)));
  }
  return out;
}

MadeSet made_of(const pmLabelSet& of_agent) {
  MadeSet out{.instance = static_cast<int32_t>(of_agent.inst), .count = of_agent.nlabels};
  if (of_agent.json != nullptr) out.json.assign(of_agent.json, of_agent.jsonlen);
  if (of_agent.labels != nullptr) {
    out.labels.assign(of_agent.labels, of_agent.labels + std::max(of_agent.nlabels, 0));
  }
  return out;
}

void give_set(const MadeSet& made, pmLabelSet& out) {
  out = {};
  out.inst = static_cast<unsigned>(made.instance);
  out.nlabels = made.count;
  if (made.json.empty()) return;
  out.json = give_text(made.json);
  out.jsonlen = static_cast<unsigned>(made.json.size()) & PM_MAXLABELJSONLEN;
  if (made.labels.empty()) return;
  out.labels = static_cast<pmLabel*>(give_bytes(made.labels.size() * sizeof(pmLabel)));
  std::ranges::copy(made.labels, out.labels);
  out.compound = std::ranges::any_of(
      made.labels, [](const pmLabel& label) { return (label.flags & PM_LABEL_COMPOUND) != 0; });
}

int give_sets(const std::vector<MadeSet>& sets, pmLabelSet** out) {
  *out = nullptr;
  if (sets.empty()) return 0;
  auto* list = static_cast<pmLabelSet*>(give_bytes(sets.size() * sizeof(pmLabelSet)));
  std::memset(list, 0, sets.size() * sizeof(pmLabelSet));
  try {
    for (size_t i = 0; i < sets.size(); ++i) give_set(sets[i], list[i]);
  } catch (...) {
    pmFreeLabelSets(list, static_cast<int>(sets.size()));
    throw;
  }
  *out = list;
  return static_cast<int>(sets.size());
}

std::vector<MadeSet> recorded_labels(OpenContext& context, LabelLevel level, uint32_t ident) {
  const ArchiveLabels& labels = context.archive()->metadata().labels;
  const auto type = static_cast<LabelType>(level);
  const Stamp now = context.archive()->replay().now();
  std::vector<MadeSet> out;
  if (type == LabelType::instances) {
    for (const LabelSet* set : labels.delivered(type, ident, now)) out.push_back(made_of(*set));
  } else if (const LabelSet* set = labels.find(type, ident, kNoInstance, now)) {
    out.push_back(made_of(*set));
  } else if (type == LabelType::context) {
    const bool any = std::ranges::any_of(labels.owners(), [](const ArchiveLabels::Owner& owner) {
      return owner.type == LabelType::context;
    });
    if (!any) out.push_back(made_of(HostnameLabel(context.archives().label().host).set()));
  }
  return out;
}

pmID cluster_of(pmID pmid) { return pmid & ~0x3ffu; }

OrPmError<std::vector<MadeSet>> labels_of_agent(LocalContext& local, LabelLevel level,
                                                uint32_t ident) {
  pmLabelSet* sets = nullptr;
  const int count = local.label_sets(level, ident, &sets);
  if (count < 0) return pm_fail(count);
  std::vector<MadeSet> out;
  for (int i = 0; i < count && sets != nullptr; ++i) out.push_back(made_of(sets[i]));
  pmFreeLabelSets(sets, count);
  return out;
}

// Of a metric's cluster archives of libpcp know only with the item 0; pmcd and agents take any.
OrPmError<std::vector<MadeSet>> labels_of(OpenContext& context, LabelLevel level, uint32_t ident) {
  if (context.archive() != nullptr) return recorded_labels(context, level, ident);
  if (level == LabelLevel::cluster) ident = cluster_of(ident);
  if (LocalContext* const local = context.local()) return labels_of_agent(*local, level, ident);
  if (const int gone = context.lost()) return pm_fail(gone);
  const auto sent = context.host()->labels(level, ident);
  if (!sent) return pm_fail(sent.error());
  std::vector<MadeSet> out;
  for (const HostLabels& labels : *sent) out.push_back(made_of(labels));
  return out;
}

int get_labels(LabelLevel level, uint32_t ident, pmLabelSet** out) {
  if (out == nullptr) return -EINVAL;
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    const auto sets = labels_of(**current, level, ident);
    return sets ? give_sets(*sets, out) : sets.error();
  });
}

// Of all levels, in order; a level without labels has no set.
int look_up_labels(OpenContext& context, pmID pmid, pmLabelSet** out) {
  const auto desc = context.metrics().describe(pmid);
  if (!desc) return desc.error();
  struct Level {
    LabelLevel level;
    uint32_t ident;
  };
  const Level levels[] = {{LabelLevel::context, PM_ID_NULL},
                          {LabelLevel::domain, pmID_domain(pmid)},
                          {LabelLevel::indom, desc->indom},
                          {LabelLevel::cluster, cluster_of(pmid)},
                          {LabelLevel::item, pmid}};
  std::vector<MadeSet> sets;
  for (const Level& level : levels) {
    if (level.level == LabelLevel::indom && desc->indom == PM_INDOM_NULL) continue;
    auto found = labels_of(context, level.level, level.ident);
    // Of derived metrics a host has no agent.
    if (!found && found.error() == PM_ERR_NOAGENT) return found.error();
    if (!found) continue;
    for (MadeSet& set : *found) {
      if (set.count > 0) sets.push_back(std::move(set));
    }
  }
  return give_sets(sets, out);
}

int put_merged(const std::string& merged, char* buffer, int bytes) {
  constexpr size_t kSpare = 3;
  if (merged.empty()) {
    if (bytes > 0) *buffer = '\0';
    return 0;
  }
  if (bytes < 0 || static_cast<size_t>(bytes) <= merged.size() + kSpare) return -E2BIG;
  std::memcpy(buffer, merged.c_str(), merged.size() + 1);
  return static_cast<int>(merged.size());
}

using LabelFilter = int (*)(const pmLabel*, const char*, void*);

// Labels that are left of sets, by their names.
struct KeptLabels {
  struct Place {
    const pmLabelSet* set;
    const pmLabel* label;
  };
  std::map<std::string_view, Place> labels{};
  std::string_view nothing{};  // what libpcp writes where none is left
};

// Sets are joined one after the other, as libpcp joins them: a label hides that of its name in sets
// before, and the filter is asked of all labels each time, in the order of their names.
KeptLabels kept_labels(std::span<pmLabelSet* const> sets, LabelFilter filter, void* closure) {
  KeptLabels out;
  for (const pmLabelSet* set : sets) {
    if (set == nullptr || set->json == nullptr) continue;
    for (int i = 0; i < set->nlabels; ++i) {
      const pmLabel& label = set->labels[i];
      if (label.name + label.namelen > set->jsonlen ||
          label.value + label.valuelen > set->jsonlen) {
        continue;
      }
      out.labels[std::string_view(set->json + label.name, label.namelen)] = {set, &label};
    }
    out.nothing = out.labels.empty() ? "{}" : "}";
    if (filter == nullptr) continue;
    std::erase_if(out.labels, [&](const auto& one) {
      return filter(one.second.label, one.second.set->json, closure) == 0;
    });
  }
  return out;
}

// Those of one set, as a text of its own.
std::string text_of_kept(const KeptLabels& kept, const pmLabelSet& set) {
  std::string out = "{";
  for (const auto& [name, place] : kept.labels) {
    if (place.set != &set) continue;
    if (out.size() > 1) out += ',';
    const std::string_view value(set.json + place.label->value, place.label->valuelen);
    out += fmt::format("\"{}\":{}", name, value);
  }
  return out + "}";
}

struct LevelName {
  int type;
  const char* name;
};
constexpr LevelName kLevelNames[] = {
    {PM_LABEL_CONTEXT, "context"}, {PM_LABEL_DOMAIN, "domain"}, {PM_LABEL_INDOM, "indom"},
    {PM_LABEL_CLUSTER, "cluster"}, {PM_LABEL_ITEM, "pmid"},     {PM_LABEL_INSTANCES, "instances"},
};

// Whose labels these are, as pmPrintLabelSets() says it.
std::string owner_of(int type, unsigned ident, const pmLabelSet& set) {
  switch (type) {
    case PM_LABEL_CONTEXT: return "Context";
    case PM_LABEL_DOMAIN: return fmt::format("Domain {}", ident);
    case PM_LABEL_INDOM: return fmt::format("InDom {}", indom_text(ident));
    case PM_LABEL_CLUSTER:
      return fmt::format("Cluster {}.{}", pmID_domain(ident), pmID_cluster(ident));
    case PM_LABEL_ITEM: return fmt::format("PMID {}", pmid_text(ident));
    case PM_LABEL_INSTANCES: return fmt::format("InDom {}[{}]", indom_text(ident), set.inst);
    default: return "";
  }
}

// Where it was given, and what is said of it beside.
std::string flags_of_label(const pmLabel& label) {
  std::string out;
  for (const LevelName& level : kLevelNames) {
    if ((label.flags & static_cast<unsigned>(level.type)) == 0) continue;
    out += (out.empty() ? "" : ",") + std::string(level.name);
  }
  if (out.empty()) out = "?";
  if ((label.flags & PM_LABEL_COMPOUND) != 0) out += ",compound";
  if ((label.flags & PM_LABEL_OPTIONAL) != 0) out += ",optional";
  return out;
}

}  // namespace

int pmGetContextLabels(pmLabelSet** out) {
  return get_labels(LabelLevel::context, PM_ID_NULL, out);
}
int pmGetDomainLabels(int domain, pmLabelSet** out) {
  return get_labels(LabelLevel::domain, static_cast<uint32_t>(domain), out);
}
int pmGetInDomLabels(pmInDom indom, pmLabelSet** out) {
  return get_labels(LabelLevel::indom, indom, out);
}
int pmGetClusterLabels(pmID pmid, pmLabelSet** out) {
  return get_labels(LabelLevel::cluster, pmid, out);
}
int pmGetItemLabels(pmID pmid, pmLabelSet** out) { return get_labels(LabelLevel::item, pmid, out); }
int pmGetInstancesLabels(pmInDom indom, pmLabelSet** out) {
  return get_labels(LabelLevel::instances, indom, out);
}

int pmLookupLabels(pmID pmid, pmLabelSet** out) {
  if (out == nullptr) return -EINVAL;
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    if (const int gone = (*current)->lost()) return gone;
    return look_up_labels(**current, pmid, out);
  });
}

int pmMergeLabels(char** texts, int count, char* buffer, int bytes) {
  if (count < 1 || texts == nullptr || buffer == nullptr) return -EINVAL;
  return at_c_border([&] {
    std::vector<std::string_view> sets;
    for (int i = 0; i < count; ++i) {
      if (texts[i] != nullptr && *texts[i] != '\0') sets.emplace_back(texts[i]);
    }
    const auto merged = sets.empty() ? std::expected<std::string, int>() : merge_labels(sets);
    return merged ? put_merged(*merged, buffer, bytes) : merged.error();
  });
}

int pmMergeLabelSets(pmLabelSet** sets, int count, char* buffer, int bytes,
                     int (*filter)(const pmLabel*, const char*, void*), void* closure) {
  if (count < 1 || sets == nullptr || buffer == nullptr) return -EINVAL;
  return at_c_border([&] {
    const std::span<pmLabelSet* const> all(sets, static_cast<size_t>(count));
    const KeptLabels kept = kept_labels(all, filter, closure);
    if (kept.labels.empty()) return put_merged(std::string(kept.nothing), buffer, bytes);
    std::vector<std::string> texts;
    for (const pmLabelSet* set : all) {
      if (set != nullptr && set->json != nullptr) texts.push_back(text_of_kept(kept, *set));
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const auto merged = merge_labels(views);
    return merged ? put_merged(*merged, buffer, bytes) : merged.error();
  });
}

void pmFreeLabelSets(pmLabelSet* sets, int count) {
  if (sets == nullptr) return;
  for (int i = 0; i < count; ++i) {
    std::free(sets[i].json);
    std::free(sets[i].labels);
  }
  std::free(sets);
}

void pmPrintLabelSets(FILE* file, int ident, int type, pmLabelSet* sets, int count) {
  if (file == nullptr || sets == nullptr) return;
  (void)at_c_border([&] {
    for (int i = 0; i < count; ++i) {
      const pmLabelSet& set = sets[i];
      fmt::print(file, "    {} labels ({} bytes): {}\n",
                 owner_of(type, static_cast<unsigned>(ident), set), unsigned{set.jsonlen},
                 set.json == nullptr ? "(null)" : set.json);
      for (int k = 0; k < set.nlabels && set.labels != nullptr; ++k) {
        const pmLabel& label = set.labels[k];
        fmt::print(file, "        [{}] name({},{}) : value({},{}) [{}]\n", k, unsigned{label.name},
                   unsigned{label.namelen}, unsigned{label.value}, unsigned{label.valuelen},
                   flags_of_label(label));
      }
    }
    return 0;
  });
}
