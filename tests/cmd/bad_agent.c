/* Agents that are shared objects, and mostly bad ones, for tests/cmd/collect_agents: an entry each.
 */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Large answers: instances of a domain, with numbers in place and values in blocks. */
enum { COUNT = 3000 };
static pmdaInstid instances[COUNT];
static pmdaIndom domains[] = {{0, COUNT, instances}};
static pmdaMetric large[] = {
    {NULL, {PMDA_PMID(0, 1), PM_TYPE_U32, 0, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 2), PM_TYPE_64, 0, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 3), PM_TYPE_FLOAT, 0, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 4), PM_TYPE_DOUBLE, 0, PM_SEM_INSTANT, {0}}},
    {NULL, {PMDA_PMID(0, 5), PM_TYPE_STRING, 0, PM_SEM_INSTANT, {0}}},
};

static int large_value_of(pmdaMetric* metric, unsigned int instance, pmAtomValue* atom) {
  static char text[32];
  switch (metric->m_desc.type) {
    case PM_TYPE_U32: atom->ul = instance * 3 + 1; break;
    case PM_TYPE_64: atom->ll = instance * -5000000000LL; break;
    case PM_TYPE_FLOAT: atom->f = (float)instance / 7; break;
    case PM_TYPE_DOUBLE: atom->d = instance / 9.0; break;
    default:
      snprintf(text, sizeof text, "%.*s%u", (int)(instance % 5), "text", instance);
      atom->cp = text;
  }
  return instance % 100 == 99 ? PMDA_FETCH_NOVALUES : PMDA_FETCH_STATIC;
}

void large_init(pmdaInterface* agent) {
  pmdaDSO(agent, PMDA_INTERFACE_7, "large", NULL);
  for (int i = 0; i < COUNT; ++i) {
    char name[16];
    snprintf(name, sizeof name, "i%d", i);
    instances[i] = (pmdaInstid){i, strdup(name)};
  }
  pmdaSetFetchCallBack(agent, large_value_of);
  pmdaInit(agent, domains, 1, large, sizeof large / sizeof large[0]);
}

/* It spoils what it shares with the collector, after it has answered. */
static void spoil(pmResult* result) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  (void)result;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long from = 0, to = 0;
    if (strstr(line, "pmjit-answers") == NULL) continue;
    if (sscanf(line, "%lx-%lx", &from, &to) == 2) memset((void*)from, 0xff, to - from);
  }
  if (maps != NULL) fclose(maps);
}

void spoil_init(pmdaInterface* agent) {
  large_init(agent);
  pmdaSetResultCallBack(agent, spoil);
}

void chatty_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_7); }
void old_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_2); }
void refuse_init(pmdaInterface* agent) { agent->status = PM_ERR_PERMISSION; }
void silent_init(pmdaInterface* agent) { (void)agent; }
void crash_init(pmdaInterface* agent) {
  (void)agent;
  abort();
}
