// pmdaDynamic…: subtrees of names whose metrics come and go, with their part of the metric table.
// Source: spec collector-and-agents.md §2.8, and what PCP 6.0.3 does.
#include <algorithm>
#include <span>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

// A subtree of names that an agent has at run time.
struct DynamicSubtree {
  pmdaExt* ext = nullptr;  // null: of whichever agent asks
  std::string prefix;
  std::vector<int> clusters;
  pmdaUpdatePMNS update_names = nullptr;
  pmdaUpdateText update_text = nullptr;
  pmdaUpdateMetric update_metric = nullptr;
  pmdaCountMetrics count_metrics = nullptr;
  pmdaMetric* metrics = nullptr;  // the agent's fixed ones
  int metric_count = 0;
  unsigned int cluster_mask = 0;
  pmdaNameSpace* names = nullptr;  // the agent's
};

// The subtrees of all agents, in the order of registration. Where `ext` is null, no agent was set
// up, and any agent may use the subtree.
std::vector<DynamicSubtree>& subtrees() {
  static auto* const all = new std::vector<DynamicSubtree>();
  return *all;
}

bool belongs(const DynamicSubtree& subtree, const pmdaExt* ext) {
  return subtree.ext == nullptr || subtree.ext == ext;
}

bool has_metric(pmdaNameSpace* tree, pmID pmid) {
  char** names = nullptr;
  if (tree == nullptr || pmdaTreeName(tree, pmid, &names) < 0) return false;
  std::free(names);
  return true;
}

// A leaf, or a branch with names below.
bool has_name(pmdaNameSpace* tree, const char* name) {
  pmID pmid = PM_ID_NULL;
  if (pmdaTreePMID(tree, name, &pmid) >= 0) return true;
  char** names = nullptr;
  int* status = nullptr;
  const int count = pmdaTreeChildren(tree, name, 0, &names, &status);
  std::free(names);
  std::free(status);
  return count >= 0;
}

// The agents look whether their names have changed, and the table follows.
void update(pmdaExt* ext) {
  bool changed = false;
  for (DynamicSubtree& subtree : subtrees()) {
    if (!belongs(subtree, ext) || subtree.update_names == nullptr) continue;
    pmdaNameSpace* names = subtree.names;
    if (subtree.update_names(ext, &names) != 0) changed = true;
    subtree.names = names;
  }
  if (changed) pmdaDynamicMetricTable(ext);
}

// A metric of the table that is in the tree stands for as many as the agent says.
void add_copies(const DynamicSubtree& subtree, std::vector<pmdaMetric>& out) {
  int metrics = 0, copies = 0;
  if (subtree.count_metrics != nullptr) subtree.count_metrics(&metrics, &copies);
  if (subtree.update_metric == nullptr || copies <= 0) return;
  for (pmdaMetric& metric : std::span(subtree.metrics, static_cast<size_t>(subtree.metric_count))) {
    if (!has_metric(subtree.names, metric.m_desc.pmid)) continue;
    for (int id = 1; id <= copies; ++id) {
      pmdaMetric copy{};
      subtree.update_metric(&metric, &copy, id);
      out.push_back(copy);
    }
  }
}

}  // namespace

void pmdaExtDynamicPMNS(const char* prefix, int* clusters, int cluster_count,
                        pmdaUpdatePMNS update_names, pmdaUpdateText update_text,
                        pmdaUpdateMetric update_metric, pmdaCountMetrics count_metrics,
                        pmdaMetric* metrics, int metric_count, pmdaExt* ext) {
  if (prefix == nullptr || cluster_count < 0 || metric_count < 0) return;
  if ((clusters == nullptr && cluster_count > 0) || (metrics == nullptr && metric_count > 0))
    return;
  at_c_border([&] {
    subtrees().push_back({.ext = ext,
                          .prefix = prefix,
                          .clusters = {clusters, clusters + cluster_count},
                          .update_names = update_names,
                          .update_text = update_text,
                          .update_metric = update_metric,
                          .count_metrics = count_metrics,
                          .metrics = metrics,
                          .metric_count = metric_count});
    return 0;
  });
}

void pmdaDynamicPMNS(const char* prefix, int* clusters, int cluster_count,
                     pmdaUpdatePMNS update_names, pmdaUpdateText update_text,
                     pmdaUpdateMetric update_metric, pmdaCountMetrics count_metrics,
                     pmdaMetric* metrics, int metric_count) {
  // That of the object that is being set up: a process may have several.
  pmdaExtDynamicPMNS(prefix, clusters, cluster_count, update_names, update_text, update_metric,
                     count_metrics, metrics, metric_count, newest_agent());
}

int pmdaDynamicSetClusterMask(const char* prefix, unsigned int mask) {
  if (prefix == nullptr) return -EINVAL;
  const auto found = std::ranges::find(subtrees(), prefix, &DynamicSubtree::prefix);
  if (found == subtrees().end()) return -EINVAL;
  found->cluster_mask = mask;
  return 0;
}

pmdaNameSpace* pmdaDynamicLookupName(pmdaExt* ext, const char* name) {
  if (ext == nullptr || name == nullptr) return nullptr;
  return at_c_border_or<pmdaNameSpace*>(nullptr, [&]() -> pmdaNameSpace* {
    update(ext);
    for (const DynamicSubtree& subtree : subtrees()) {
      // A tree may have names outside of its prefix: that of PCP's agent proc has hotproc, too.
      if (belongs(subtree, ext) && has_name(subtree.names, name)) return subtree.names;
    }
    return nullptr;
  });
}

pmdaNameSpace* pmdaDynamicLookupPMID(pmdaExt* ext, pmID pmid) {
  if (ext == nullptr) return nullptr;
  return at_c_border_or<pmdaNameSpace*>(nullptr, [&]() -> pmdaNameSpace* {
    update(ext);
    for (const DynamicSubtree& subtree : subtrees()) {
      if (belongs(subtree, ext) && has_metric(subtree.names, pmid)) return subtree.names;
    }
    return nullptr;
  });
}

int pmdaDynamicLookupText(pmID pmid, int type, char** out, pmdaExt* ext) {
  if (ext == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    update(ext);
    for (const DynamicSubtree& subtree : subtrees()) {
      if (!belongs(subtree, ext) || !has_metric(subtree.names, pmid)) continue;
      return subtree.update_text == nullptr ? PM_ERR_TEXT
                                            : subtree.update_text(ext, pmid, type, out);
    }
    return -ENOENT;
  });
}

void pmdaDynamicMetricTable(pmdaExt* ext) {
  AgentState* state = state_of(ext);
  if (state == nullptr) return;
  at_c_border([&] {
    std::vector<pmdaMetric> table;
    bool first = true;
    for (const DynamicSubtree& subtree : subtrees()) {
      if (!belongs(subtree, ext)) continue;
      if (first) table.assign(subtree.metrics, subtree.metrics + subtree.metric_count);
      first = false;
    }
    if (first) return 0;
    for (const DynamicSubtree& subtree : subtrees()) {
      if (belongs(subtree, ext)) add_copies(subtree, table);
    }
    state->table = std::move(table);
    pmdaRehash(ext, state->table.data(), static_cast<int>(state->table.size()));
    return 0;
  });
}
