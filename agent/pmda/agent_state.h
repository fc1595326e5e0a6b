// AgentState: what the library keeps of one agent behind pmdaExt::e_ext, and the small questions
// that its parts ask of an agent. One thread calls the library, so nothing here is locked.
//
//   AgentState* state = state_of(ext);           null where pmdaDaemon() or pmdaDSO() has not been
//   if (pmdaMetric* metric = find_metric(pmid, ext)) …
#pragma once

#include <syslog.h>

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/pmapi/border.h"
#include "runtime/wire/frame.h"

// Functions that agents call are exported; nothing else of this library is.
#pragma GCC visibility push(default)
#include "agent/interface/include/pcp/pmda.h"
#pragma GCC visibility pop

namespace pmjit {

class InstanceCache;

// A profile of C as pmcd has sent it.
struct OwnedProfile {
  pmProfile profile{};
  std::vector<pmInDomProfile> domains;
  std::vector<std::vector<int>> instances;
};

struct AgentState {
  pmdaInterface* dispatch = nullptr;  // where it was last seen
  void* data = nullptr;               // the agent's own, pmdaSetData()
  // Names of files that pmdaExt points to. One that was replaced stays: agents may have kept it.
  std::deque<std::string> texts;
  bool begun = false;  // a PDU has been answered, or refused

  // Look-up by hash; the first of two metrics of one number.
  bool hashed = false;
  std::unordered_map<pmID, pmdaMetric*> by_pmid;

  // The result of the last fetch: the structure alone, its sets are malloc's.
  std::vector<uint64_t> result;
  pmdaMetric described{};  // a metric that only the agent's desc() knows

  // The walk that __pmdaStartInst() has begun.
  pmInDom walked = PM_INDOM_NULL;
  InstanceCache* walked_cache = nullptr;  // null: it walks a table

  // The channel to pmcd.
  wire::Framer framer;
  bool reads_ahead = false;  // nobody else waits for bytes of the channel
  OwnedProfile profile;

  std::vector<pmdaMetric> table;  // pmdaDynamicMetricTable() has made it

  AgentState();
};

[[nodiscard]] inline AgentState* state_of(const pmdaExt* ext) {
  return ext == nullptr ? nullptr : static_cast<AgentState*>(ext->e_ext);
}
[[nodiscard]] inline pmdaExt* ext_of(const pmdaInterface* agent) {
  return agent == nullptr ? nullptr : agent->version.any.ext;
}
// The agent of this process that was set up last; null: none was.
[[nodiscard]] pmdaExt* newest_agent();
// For members of pmdaExt; null for null.
[[nodiscard]] inline char* keep_text(pmdaExt& ext, const char* text) {
  return text == nullptr ? nullptr : state_of(&ext)->texts.emplace_back(text).data();
}
// 2…7, or what the agent claims.
[[nodiscard]] int interface_of(const pmdaExt* ext);
[[nodiscard]] inline bool is_interface(unsigned version) {
  return version >= PMDA_INTERFACE_2 && version <= PMDA_INTERFACE_LATEST;
}

// The row of the metric table, by the strategy that pmdaInit() or pmdaRehash() has chosen.
[[nodiscard]] pmdaMetric* find_metric(pmID pmid, const pmdaExt* ext);
[[nodiscard]] pmdaIndom* find_indom(pmInDom indom, const pmdaExt* ext);
// The same, or what desc() of the agent says, until the next such question.
[[nodiscard]] pmdaMetric* find_or_describe(pmID pmid, pmdaExt* ext);

// Whether the profile that came last has the instance.
[[nodiscard]] bool profile_has(const pmProfile* profile, pmInDom indom, int inst);

// Frees the sets of a result of pmdaFetch(), and their blocks; what pmcd calls behind a fetch.
void free_fetched(pmResult* result);

// An error of the library in one room: its text may be asked for while another stands.
struct ErrorText {
  explicit ErrorText(int code) { pmErrStr_r(code, text, sizeof text); }
  char text[PM_MAXERRMSGLEN];
};
struct IdText {
  explicit IdText(pmID pmid) { pmIDStr_r(pmid, text, sizeof text); }
  char text[32];
};

}  // namespace pmjit
