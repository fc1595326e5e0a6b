/* Agents that are shared objects, and mostly bad ones, for tests/cmd/collect_agents: an entry each.
 */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pmdaMetric metrics[] = {
    {NULL, {PMDA_PMID(0, 1), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 2), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 3), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 4), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
};

/* 0.1: how many fetches there were; 0.2: it crashes; 0.3: it hangs; 0.4: it calls exit(). */
static int value_of(pmdaMetric* metric, unsigned int instance, pmAtomValue* atom) {
  static unsigned int calls;
  char byte = 0;
  (void)instance;
  printf("noise of a fetch\n");
  fflush(stdout);
  if (read(STDIN_FILENO, &byte, 1) != 0) abort(); /* nothing is to be read there */
  if (pmID_item(metric->m_desc.pmid) == 2) abort();
  if (pmID_item(metric->m_desc.pmid) == 3) sleep(1000);
  if (pmID_item(metric->m_desc.pmid) == 4) exit(5);
  atom->ul = ++calls;
  return PMDA_FETCH_STATIC;
}

static void begin(pmdaInterface* agent, int version) {
  printf("noise of an entry, domain %d\n", agent->domain);
  pmdaDSO(agent, version, "chatty", NULL);
  if (agent->status != 0) return;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaInit(agent, NULL, 0, metrics, 4);
}

void chatty_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_7); }
void old_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_2); }
void refuse_init(pmdaInterface* agent) { agent->status = PM_ERR_PERMISSION; }
void silent_init(pmdaInterface* agent) { (void)agent; }
void crash_init(pmdaInterface* agent) {
  (void)agent;
  abort();
}
