/* Promises of the agent library.
 *
 *   pmda_promises ARCHIVES HOST:PORT SOCKET FOLDER [PART…]
 *
 * tests/pmapi/promises/run starts it. */
#include "parts.h"

int g_code, g_calls;
unsigned g_instance;

int give(pmdaMetric* metric, unsigned instance, pmAtomValue* atom) {
  (void)metric;
  ++g_calls;
  g_instance = instance;
  atom->ul = 40 + (instance == PM_IN_NULL ? 2 : instance);
  return g_code;
}

struct tables* new_tables(void) {
  static const pmUnits none = PMDA_PMUNITS(0, 0, 0, 0, 0, 0);
  struct tables* const out = calloc(1, sizeof *out);
  out->set[0] = (pmdaInstid){0, "zero"};
  out->set[1] = (pmdaInstid){1, "one two"};
  out->set[2] = (pmdaInstid){5, "x"};
  out->indoms[0] = (pmdaIndom){3, 3, out->set};
  for (unsigned i = 0; i < 2; ++i)
    out->metrics[i].m_desc =
        (pmDesc){PMDA_PMID(0, i), PM_TYPE_U32, i ? 3 : PM_INDOM_NULL, PM_SEM_INSTANT, none};
  return out;
}

int set_up(pmdaInterface* agent, int version, struct tables* tables) {
  memset(agent, 0, sizeof *agent);
  pmdaDaemon(agent, version, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(agent, give);
  pmdaInit(agent, tables->indoms, 1, tables->metrics, 2);
  g_code = PMDA_FETCH_STATIC;
  g_calls = 0;
  return agent->status;
}

int fetched(pmdaInterface* agent, int count, pmID* ids, int which) {
  pmResult* result = NULL;
  const int sts = agent->version.any.fetch(count, ids, &result, agent->version.any.ext);
  if (sts < 0) return sts;
  const int out = result->vset[which]->numval;
  if (agent->version.any.ext->e_resultCallBack) agent->version.any.ext->e_resultCallBack(result);
  return out;
}

int main(int argc, char** argv) {
#define LISTED(name) {#name, promises_##name},
  static const struct part parts[] = {PROMISED_PARTS(LISTED)};
#undef LISTED
  return keep_promises(argc, argv, parts, sizeof parts / sizeof parts[0]);
}
