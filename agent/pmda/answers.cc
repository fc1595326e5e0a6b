// The other answers that an agent gives unless it has its own. Source: spec
// collector-and-agents.md §2.5.
#include "agent/pmda/agent_state.h"

using namespace pmjit;

int pmdaProfile(pmProfile* profile, pmdaExt* ext) {
  if (ext == nullptr) return -EINVAL;
  ext->e_prof = profile;
  return 0;
}

int pmdaDesc(pmID pmid, pmDesc* out, pmdaExt* ext) {
  if (out == nullptr || ext == nullptr) return -EINVAL;
  const pmdaMetric* metric = find_metric(pmid, ext);
  if (metric == nullptr) {
    if (interface_of(ext) < PMDA_INTERFACE_4) {  // later ones have names that come and go
      pmNotifyErr(LOG_ERR, "pmdaDesc: Requested metric %s is not defined", IdText(pmid).text);
    }
    return PM_ERR_PMID;
  }
  *out = metric->m_desc;
  return 0;
}

int pmdaText(int ident, int type, char** out, pmdaExt* ext) {
  if (out == nullptr || ext == nullptr) return -EINVAL;
  if (ext->e_help < 0) return PM_ERR_TEXT;
  const auto id = static_cast<unsigned>(ident);
  *out = (type & PM_TEXT_PMID) != 0 ? pmdaGetHelp(ext->e_help, id, type)
                                    : pmdaGetInDomHelp(ext->e_help, id, type);
  return *out == nullptr ? PM_ERR_TEXT : 0;
}

int pmdaStore(pmResult*, pmdaExt*) { return PM_ERR_PERMISSION; }
int pmdaPMID(const char*, pmID*, pmdaExt*) { return PM_ERR_NAME; }
int pmdaName(pmID, char***, pmdaExt*) { return PM_ERR_PMID; }
int pmdaChildren(const char*, int, char***, int**, pmdaExt*) { return PM_ERR_NAME; }
int pmdaAttribute(int, int, const char*, int, pmdaExt*) { return 0; }
