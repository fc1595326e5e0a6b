// The life of an agent before pmcd is there: pmdaDaemon, pmdaDSO, call-backs and flags. What is
// wrong is said with pmNotifyErr() and stays in pmdaInterface::status. Source: spec
// collector-and-agents.md §2.2.
#include "agent/pmda/agent_state.h"
#include "runtime/base/limits.h"

namespace pmjit {

AgentState::AgentState() : framer(limits::kServerPduBytesMax) {}

int interface_of(const pmdaExt* ext) {
  const AgentState* state = state_of(ext);
  if (state == nullptr || state->dispatch == nullptr) return PMDA_INTERFACE_LATEST;
  return static_cast<int>(state->dispatch->comm.pmda_interface);
}

void free_fetched(pmResult* result) {
  if (result == nullptr) return;
  for (int i = 0; i < result->numpmid; ++i) {
    pmValueSet* const set = result->vset[i];
    if (set == nullptr) continue;
    for (int k = 0; k < set->numval && set->valfmt == PM_VAL_DPTR; ++k) {
      std::free(set->vlist[k].value.pval);
    }
    std::free(set);
    result->vset[i] = nullptr;
  }
}

namespace {

// Agents live as long as the process: nobody says when one has gone, and others may point to it.
std::vector<pmdaExt*>& agents() {
  static auto* const all = new std::vector<pmdaExt*>();
  return *all;
}

}  // namespace

pmdaExt* newest_agent() { return agents().empty() ? nullptr : agents().back(); }

}  // namespace pmjit

using namespace pmjit;

namespace {

int g_context = 0;

void set_up(pmdaInterface& agent, int version, const char* name, const char* help) {
  agent.status = 0;
  if (version < PMDA_INTERFACE_2 || version > PMDA_INTERFACE_LATEST) {
    pmNotifyErr(LOG_CRIT, "__pmdaSetup: %s PMDA: interface version %d not supported (domain=%d)",
                name == nullptr ? "" : name, version, agent.domain);
    agent.status = PM_ERR_GENERIC;
    return;
  }
  agent.version = {};
  agent.comm.pmda_interface = static_cast<unsigned>(version) & 0xff;
  agent.comm.pmapi_version = PMAPI_VERSION_2;
  agent.comm.flags = 0;
  auto& asked = agent.version.seven;
  asked.profile = pmdaProfile;
  asked.fetch = pmdaFetch;
  asked.desc = pmdaDesc;
  asked.instance = pmdaInstance;
  asked.text = pmdaText;
  asked.store = pmdaStore;
  if (version >= PMDA_INTERFACE_4) {
    asked.pmid = pmdaPMID;
    asked.name = pmdaName;
    asked.children = pmdaChildren;
  }
  if (version >= PMDA_INTERFACE_6) asked.attribute = pmdaAttribute;
  if (version >= PMDA_INTERFACE_7) asked.label = pmdaLabel;

  auto* state = new AgentState();
  state->dispatch = &agent;
  auto* ext = new pmdaExt{};
  agents().push_back(ext);
  asked.ext = ext;
  ext->e_flags = PMDA_EXT_SETUPDONE;
  ext->e_ext = state;
  ext->e_name = const_cast<char*>(name);  // whatever the interface's type says, nobody writes there
  ext->e_helptext = keep_text(*ext, help);
  ext->e_infd = ext->e_outfd = ext->e_port = -1;
  ext->e_singular = ext->e_ordinal = ext->e_help = -1;
  ext->e_direct = 1;
  ext->e_domain = agent.domain;
  ext->e_io = pmdaUnknown;
  ext->e_resultCallBack = free_fetched;
}

template <class Call>
void set_up_at_border(pmdaInterface& agent, Call&& call) {
  const int status = at_c_border([&] {
    call();
    return 0;
  });
  if (status < 0) agent.status = status;
}

// Sets a call-back, or says for which interface there is none.
template <class CallBack>
void set_call_back(pmdaInterface* agent, const char* what, int least, bool any_later,
                   CallBack pmdaExt::* member, CallBack call) {
  if (agent == nullptr) return;
  const unsigned version = agent->comm.pmda_interface;
  const bool known =
      version >= static_cast<unsigned>(least) && (any_later || version <= PMDA_INTERFACE_LATEST);
  if (known && ext_of(agent) != nullptr) {
    ext_of(agent)->*member = call;
    return;
  }
  pmNotifyErr(LOG_CRIT, "Unable to set %s callback for PMDA interface version %u.", what, version);
  agent->status = PM_ERR_GENERIC;
}

bool refuses_version(pmdaInterface* agent, const char* who) {
  if (agent == nullptr) return true;
  if (is_interface(agent->comm.pmda_interface) && ext_of(agent) != nullptr) return false;
  pmNotifyErr(LOG_CRIT, "%s: PMDA interface version %u not supported (domain=%d)", who,
              unsigned{agent->comm.pmda_interface}, agent->domain);
  agent->status = PM_ERR_GENERIC;
  return true;
}

}  // namespace

void pmdaDaemon(pmdaInterface* agent, int version, const char* name, int domain, const char* log,
                const char* help) {
  if (agent == nullptr) return;
  set_up_at_border(*agent, [&] {
    agent->domain = domain;
    set_up(*agent, version, name, help);
    if (agent->status == 0) ext_of(agent)->e_logfile = keep_text(*ext_of(agent), log);
  });
}

void pmdaDSO(pmdaInterface* agent, int version, char* name, char* help) {
  if (agent == nullptr) return;
  set_up_at_border(*agent, [&] { set_up(*agent, version, name, help); });
}

void pmdaSetFetchCallBack(pmdaInterface* agent, pmdaFetchCallBack call) {
  set_call_back(agent, "fetch", PMDA_INTERFACE_2, false, &pmdaExt::e_fetchCallBack, call);
}
void pmdaSetResultCallBack(pmdaInterface* agent, pmdaResultCallBack call) {
  set_call_back(agent, "result", PMDA_INTERFACE_2, false, &pmdaExt::e_resultCallBack, call);
}
void pmdaSetCheckCallBack(pmdaInterface* agent, pmdaCheckCallBack call) {
  set_call_back(agent, "check", PMDA_INTERFACE_2, false, &pmdaExt::e_checkCallBack, call);
}
void pmdaSetDoneCallBack(pmdaInterface* agent, pmdaDoneCallBack call) {
  set_call_back(agent, "done", PMDA_INTERFACE_2, false, &pmdaExt::e_doneCallBack, call);
}
void pmdaSetEndContextCallBack(pmdaInterface* agent, pmdaEndContextCallBack call) {
  set_call_back(agent, "end context", PMDA_INTERFACE_5, true, &pmdaExt::e_endCallBack, call);
}
void pmdaSetLabelCallBack(pmdaInterface* agent, pmdaLabelCallBack call) {
  set_call_back(agent, "label", PMDA_INTERFACE_7, true, &pmdaExt::e_labelCallBack, call);
}

void pmdaExtSetFlags(pmdaExt* ext, int flags) {
  if (ext == nullptr) return;
  ext->e_flags |= static_cast<unsigned>(flags);
  if (pmDebugOptions.libpmda != 0) pmNotifyErr(LOG_DEBUG, "pmdaExtSetFlags: flags=%x", flags);
}
void pmdaSetFlags(pmdaInterface* agent, int flags) {
  if (refuses_version(agent, "pmdaSetFlags")) return;
  pmdaExtSetFlags(ext_of(agent), flags);
}
void pmdaSetCommFlags(pmdaInterface* agent, int flags) {
  if (refuses_version(agent, "pmdaSetCommFlags")) return;
  agent->comm.flags = (agent->comm.flags | static_cast<unsigned>(flags)) & 0xffff;
}

void pmdaExtSetData(pmdaExt* ext, void* data) {
  if (AgentState* state = state_of(ext)) state->data = data;
}
void* pmdaExtGetData(pmdaExt* ext) {
  const AgentState* state = state_of(ext);
  return state == nullptr ? nullptr : state->data;
}
void pmdaSetData(pmdaInterface* agent, void* data) {
  if (refuses_version(agent, "pmdaSetData")) return;
  pmdaExtSetData(ext_of(agent), data);
}

void pmdaInterfaceMoved(pmdaInterface* agent) {
  if (AgentState* state = state_of(ext_of(agent))) state->dispatch = agent;
}

int pmdaGetContext() { return g_context; }
void __pmdaSetContext(int context) { g_context = context; }
