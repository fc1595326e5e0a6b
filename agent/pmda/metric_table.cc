// pmdaInit: the tables of an agent are checked and get its domain, and how a metric is found in
// them is chosen. Source: spec collector-and-agents.md §2.3.
#include <algorithm>
#include <span>

#include "agent/pmda/agent_state.h"

namespace pmjit {

namespace {

// The same but for the domain, which is trusted where a place is looked at.
bool same_metric(pmID a, pmID b) {
  return pmID_cluster(a) == pmID_cluster(b) && pmID_item(a) == pmID_item(b);
}

}  // namespace

pmdaMetric* find_metric(pmID pmid, const pmdaExt* ext) {
  const AgentState* state = state_of(ext);
  if (state != nullptr && (ext->e_flags & PMDA_EXT_FLAG_HASHED) != 0 && state->hashed) {
    const auto found = state->by_pmid.find(pmid);
    return found == state->by_pmid.end() ? nullptr : found->second;
  }
  if (ext->e_metrics == nullptr || ext->e_nmetrics <= 0) return nullptr;
  const std::span metrics(ext->e_metrics, static_cast<size_t>(ext->e_nmetrics));
  if (ext->e_direct != 0) {
    const unsigned item = pmID_item(pmid);
    if (item >= metrics.size()) return nullptr;
    pmdaMetric& metric = metrics[item];
    return same_metric(metric.m_desc.pmid, pmid) ? &metric : nullptr;
  }
  const auto found =
      std::ranges::find(metrics, pmid, [](const pmdaMetric& metric) { return metric.m_desc.pmid; });
  return found == metrics.end() ? nullptr : &*found;
}

pmdaIndom* find_indom(pmInDom indom, const pmdaExt* ext) {
  if (ext->e_indoms == nullptr) return nullptr;
  for (int i = 0; i < ext->e_nindoms; ++i) {
    if (ext->e_indoms[i].it_indom == indom) return &ext->e_indoms[i];
  }
  return nullptr;
}

pmdaMetric* find_or_describe(pmID pmid, pmdaExt* ext) {
  if (pmdaMetric* metric = find_metric(pmid, ext)) return metric;
  AgentState* state = state_of(ext);
  if (state == nullptr || state->dispatch == nullptr) return nullptr;
  const auto describe = state->dispatch->version.any.desc;
  if (describe == nullptr || describe == pmdaDesc) return nullptr;
  state->described = {};
  return describe(pmid, &state->described.m_desc, ext) < 0 ? nullptr : &state->described;
}

}  // namespace pmjit

using namespace pmjit;

namespace {

const char* name_of(const pmdaExt& ext) { return ext.e_name == nullptr ? "" : ext.e_name; }

// A table without rows, or rows without a table.
bool inconsistent(const pmdaExt& ext, const char* what, const void* table, int count) {
  if ((table == nullptr) == (count == 0)) return false;
  pmNotifyErr(LOG_CRIT, "pmdaInit: PMDA %s: %s (%p) not consistent with n%s (%d)", name_of(ext),
              what, table, what, count);
  return true;
}
bool negative(const pmdaExt& ext, const char* what, int count) {
  if (count >= 0) return false;
  pmNotifyErr(LOG_CRIT, "pmdaInit: PMDA %s: n%s (%d) should be non-negative", name_of(ext), what,
              count);
  return true;
}

bool has_indom(std::span<const pmdaIndom> indoms, unsigned serial) {
  return std::ranges::any_of(
      indoms, [&](const pmdaIndom& row) { return pmInDom_serial(row.it_indom) == serial; });
}

// False, once it has said so, where a metric has a domain of instances that is not in the table.
bool stamp(const pmdaExt& ext, unsigned domain, std::span<pmdaIndom> indoms,
           std::span<pmdaMetric> metrics) {
  for (pmdaIndom& row : indoms) {
    row.it_indom = pmInDom_build(domain, pmInDom_serial(row.it_indom));
  }
  for (size_t i = 0; i < metrics.size(); ++i) {
    pmDesc& desc = metrics[i].m_desc;
    desc.pmid = pmID_build(domain, pmID_cluster(desc.pmid), pmID_item(desc.pmid));
    if (desc.indom == PM_INDOM_NULL) continue;
    const unsigned serial = pmInDom_serial(desc.indom);
    if (!indoms.empty() && !has_indom(indoms, serial)) {
      pmNotifyErr(LOG_CRIT,
                  "pmdaInit: PMDA %s: Undefined instance domain serial (%u) specified for metric "
                  "%s (e_metrics[%zu])",
                  name_of(ext), serial, IdText(desc.pmid).text, i);
      return false;
    }
    desc.indom = pmInDom_build(domain, serial);
  }
  return true;
}

void open_help(pmdaExt& ext, bool needed) {
  if (ext.e_helptext != nullptr) {
    ext.e_help = pmdaOpenHelp(ext.e_helptext);
    if (ext.e_help >= 0) return;
    pmNotifyErr(LOG_WARNING, "pmdaInit: PMDA %s: Unable to open help text file(s) from \"%s\": %s",
                name_of(ext), ext.e_helptext, ErrorText(ext.e_help).text);
  } else if (needed) {
    pmNotifyErr(LOG_WARNING, "pmdaInit: PMDA %s: No help text file specified for pmdaText",
                name_of(ext));
  }
}

// Every item number is the place of its metric.
void try_direct(pmdaExt& ext) {
  ext.e_direct = 1;
  for (int i = 0; i < ext.e_nmetrics; ++i) {
    const pmID pmid = ext.e_metrics[i].m_desc.pmid;
    if (pmID_item(pmid) == static_cast<unsigned>(i)) continue;
    ext.e_direct = 0;
    if ((ext.e_flags & PMDA_EXT_FLAG_DIRECT) != 0) {
      pmNotifyErr(LOG_WARNING,
                  "pmdaDirect: PMDA %s: Direct mapping for metrics disabled @ metrics[%d] %s",
                  name_of(ext), i, IdText(pmid).text);
    }
    return;
  }
}

bool refuses(const pmdaInterface& agent, const pmdaExt& ext, pmdaIndom* indoms, int nindoms,
             pmdaMetric* metrics, int nmetrics) {
  if (agent.version.any.fetch == pmdaFetch && ext.e_fetchCallBack == nullptr) {
    pmNotifyErr(LOG_CRIT, "pmdaInit: PMDA %s: using pmdaFetch() but fetch call back not set",
                name_of(ext));
    return true;
  }
  return negative(ext, "metrics", nmetrics) || negative(ext, "indoms", nindoms) ||
         inconsistent(ext, "metrics", metrics, nmetrics) ||
         inconsistent(ext, "indoms", indoms, nindoms);
}

// What an agent has set up, for who looks for a mistake in one (-D libpmda).
void say_set_up(const pmdaExt& ext) {
  const bool is_hashed = (ext.e_flags & PMDA_EXT_FLAG_HASHED) != 0;
  pmNotifyErr(LOG_INFO, "name        = %s", name_of(ext));
  pmNotifyErr(LOG_INFO, "domain      = %d", ext.e_domain);
  pmNotifyErr(LOG_INFO, "ext flags  = %x", ext.e_flags);
  pmNotifyErr(LOG_INFO, "num metrics = %d", ext.e_nmetrics);
  pmNotifyErr(LOG_INFO, "num indom   = %d", ext.e_nindoms);
  pmNotifyErr(LOG_INFO, "metric map  = %s",
              is_hashed           ? "hashed"
              : ext.e_direct != 0 ? "direct"
                                  : "linear");
}

}  // namespace

void pmdaRehash(pmdaExt* ext, pmdaMetric* metrics, int nmetrics) {
  AgentState* state = state_of(ext);
  if (state == nullptr || nmetrics < 0 || (metrics == nullptr && nmetrics > 0)) return;
  ext->e_metrics = metrics;
  ext->e_nmetrics = nmetrics;
  ext->e_direct = 0;
  ext->e_flags |= PMDA_EXT_FLAG_HASHED;
  int done = 0;
  const int status = at_c_border([&] {
    state->by_pmid.clear();
    state->by_pmid.reserve(static_cast<size_t>(nmetrics));
    for (; done < nmetrics; ++done) {
      state->by_pmid.try_emplace(metrics[done].m_desc.pmid, &metrics[done]);
    }
    return 0;
  });
  state->hashed = status == 0;
  if (state->hashed) return;
  pmNotifyErr(LOG_WARNING,
              "pmdaRehash: PMDA %s: Hashed mapping for metrics disabled @ metric[%d] %s",
              name_of(*ext), done, done < nmetrics ? IdText(metrics[done].m_desc.pmid).text : "");
}

void pmdaInit(pmdaInterface* agent, pmdaIndom* indoms, int nindoms, pmdaMetric* metrics,
              int nmetrics) {
  if (agent == nullptr) return;
  pmdaExt* const ext = ext_of(agent);
  if (!is_interface(agent->comm.pmda_interface) || ext == nullptr) {
    pmNotifyErr(LOG_CRIT, "pmdaInit: PMDA interface version %u not supported (domain=%d)",
                unsigned{agent->comm.pmda_interface}, agent->domain);
    agent->status = PM_ERR_GENERIC;
    return;
  }
  if (refuses(*agent, *ext, indoms, nindoms, metrics, nmetrics)) {
    agent->status = PM_ERR_GENERIC;
    return;
  }
  ext->e_domain = agent->domain;
  ext->e_indoms = indoms;
  ext->e_nindoms = nindoms;
  ext->e_metrics = metrics;
  ext->e_nmetrics = nmetrics;
  if (!stamp(*ext, static_cast<unsigned>(agent->domain), {indoms, static_cast<size_t>(nindoms)},
             {metrics, static_cast<size_t>(nmetrics)})) {
    agent->status = PM_ERR_GENERIC;
    return;
  }
  open_help(*ext, agent->version.any.text == pmdaText);
  if ((ext->e_flags & PMDA_EXT_FLAG_HASHED) != 0) {
    pmdaRehash(ext, metrics, nmetrics);
  } else {
    try_direct(*ext);
  }
  if (pmDebugOptions.libpmda != 0) say_set_up(*ext);
  agent->status = ext->e_status;
}
