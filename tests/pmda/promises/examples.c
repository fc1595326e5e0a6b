/* The agents of agent/examples as shared objects in this process. */
#include <dlfcn.h>
#include <unistd.h>

#include "parts.h"

static pmdaInterface g_agent;
static pmdaExt* ext(void) { return g_agent.version.any.ext; }

/* As pmcd opens one. */
static void open_object(const char* name, const char* entry, int domain) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", getenv("PROMISED_AGENTS"), name);
  void* const object = dlopen(path, RTLD_NOW);
  void (*begin)(pmdaInterface*);
  if (object == NULL || (*(void**)& begin = dlsym(object, entry)) == NULL) {
    printf("FAILED %s\n", dlerror());
    exit(2);
  }
  g_agent =
      (pmdaInterface){.domain = domain, .comm = {.pmda_interface = 255, .pmapi_version = 253}};
  begin(&g_agent);
}

void promises_trivial(void) {
  static pmdaMetric other;
  pmAtomValue atom;
  open_object("pmda_trivial.so", "trivial_init", 250);
  PROMISE("pmda.setup.init_entry", g_agent.status == 0 && g_agent.comm.pmda_interface >= 2);
  const pmdaFetchCallBack call = ext()->e_fetchCallBack;
  PROMISE("agent.trivial.callback", call(&ext()->e_metrics[0], PM_IN_NULL, &atom) >= 0);
  PROMISE("agent.trivial.callback", call(&ext()->e_metrics[0], 3, &atom) == PM_ERR_INST);
  other.m_desc.pmid = pmID_build(250, 0, 1);
  PROMISE("agent.trivial.callback", call(&other, PM_IN_NULL, &atom) == PM_ERR_PMID);
  other.m_desc.pmid = pmID_build(250, 1, 0);
  PROMISE("agent.trivial.callback", call(&other, PM_IN_NULL, &atom) == PM_ERR_PMID);
}

/* The values of a fetch of one metric; -1: there are none. */
static int g_values[5], g_instances[5];
static double g_real;
static int fetch(unsigned cluster, unsigned item) {
  pmID pmid = pmID_build(253, cluster, item);
  pmResult* result = NULL;
  pmAtomValue atom;
  if (g_agent.version.any.fetch(1, &pmid, &result, ext()) < 0) return -1;
  const pmValueSet* const set = result->vset[0];
  const int count = set->numval;
  for (int i = 0; i < count && i < 5; ++i) {
    g_values[i] = set->vlist[i].value.lval;
    g_instances[i] = set->vlist[i].inst;
  }
  if (count == 1 && cluster == 1 &&
      pmExtractValue(set->valfmt, set->vlist, PM_TYPE_DOUBLE, &atom, PM_TYPE_DOUBLE) == 0)
    g_real = atom.d;
  ext()->e_resultCallBack(result);
  return count;
}
static int store(unsigned cluster, unsigned item, int instance, int value) {
  pmValueSet set = {.pmid = pmID_build(253, cluster, item), .numval = 1, .valfmt = PM_VAL_INSITU};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  set.vlist[0].inst = instance;
  set.vlist[0].value.lval = value;
  return g_agent.version.any.store(&result, ext());
}

void promises_simple_values(void) {
  open_object("pmda_simple.so", "simple_init", 253);
  PROMISE("pmda.setup.init_entry", g_agent.status == 0 && g_agent.comm.pmda_interface == 7);
  PROMISE("agent.simple.color", fetch(0, 1) == 3 && g_instances[2] == 2);
  PROMISE("agent.simple.color", g_values[0] == 1 && g_values[1] == 101 && g_values[2] == 201);
  for (int i = 0; i < 55; ++i) fetch(0, 1);
  PROMISE("agent.simple.color", g_values[0] == 56 && g_values[2] == 0); /* 256 of them */
  PROMISE("agent.simple.numfetch", fetch(0, 0) == 1 && g_values[0] == 57);
  PROMISE("agent.simple.numfetch", fetch(0, 0) == 1 && g_values[0] == 58);
  /* Its processor time, read once a fetch. */
  volatile unsigned burnt = 0;
  const clock_t start = clock();
  while (clock() - start < CLOCKS_PER_SEC / 20) ++burnt;
  PROMISE("agent.simple.time", fetch(1, 2) == 1);
  const double user = g_real;
  PROMISE("agent.simple.time", fetch(1, 3) == 1);
  PROMISE("agent.simple.time", user + g_real > 0.03 && user + g_real < 100);
}

void promises_simple_stores(void) {
  open_object("pmda_simple.so", "simple_init", 253);
  PROMISE("agent.simple.store",
          store(0, 0, -1, 500) == 0 && fetch(0, 0) == 1 && g_values[0] == 501);
  PROMISE("agent.simple.store", store(0, 0, -1, -3) == PM_ERR_BADSTORE);
  PROMISE("agent.simple.store", fetch(0, 0) == 1 && g_values[0] == 1);
  PROMISE("agent.simple.store", store(0, 1, 1, 7) == 0 && fetch(0, 1) == 3 && g_values[1] == 8);
  PROMISE("agent.simple.store", store(0, 1, 0, 300) == PM_ERR_BADSTORE);
  PROMISE("agent.simple.store", store(0, 1, 2, -1) == PM_ERR_BADSTORE);
  PROMISE("agent.simple.store", fetch(0, 1) == 3 && g_values[0] == 0 && g_values[2] == 1); /* cut */
  PROMISE("agent.simple.store_inst", store(0, 1, 3, 7) == PM_ERR_INST);
  PROMISE("agent.simple.store_perm", store(1, 2, -1, 7) == PM_ERR_PERMISSION &&
                                         store(1, 3, -1, 7) == PM_ERR_PERMISSION &&
                                         store(2, 4, 0, 7) == PM_ERR_PERMISSION);
  PROMISE("agent.simple.store_perm",
          store(0, 9, -1, 7) == PM_ERR_PMID && store(7, 0, -1, 7) == PM_ERR_PMID);
}

/* How many instances its domain has. */
static int fields_now(void) {
  pmInResult* found = NULL;
  const int sts =
      g_agent.version.any.instance(pmInDom_build(253, 1), (int)PM_IN_NULL, NULL, &found, ext());
  return sts < 0 ? sts : found->numinst;
}

void promises_simple_fields(void) {
  write_file("pmdas/simple/simple.conf", "sec,min,hour\n");
  open_object("pmda_simple.so", "simple_init", 253);
  time_t now = time(NULL);
  struct tm broken;
  PROMISE("agent.simple.now", fetch(2, 4) == 3);
  localtime_r(&now, &broken);
  PROMISE("agent.simple.now", (g_values[0] - broken.tm_sec + 60) % 60 < 3 ||
                                  (broken.tm_sec - g_values[0] + 60) % 60 < 3);
  PROMISE("agent.simple.now", g_values[2] == broken.tm_hour || broken.tm_min == 0);
  PROMISE("agent.simple.dynamic", fields_now() == 3);
  usleep(20000); /* the file is another one's age then */
  write_file("pmdas/simple/simple.conf", "min\n");
  PROMISE("agent.simple.dynamic", fields_now() == 1); /* the wrapper of instance() */
  PROMISE("agent.simple.now", fetch(2, 4) == 1);
  usleep(20000);
  write_file("pmdas/simple/simple.conf", "hour,min\n");
  PROMISE("agent.simple.dynamic", fetch(2, 4) == 2); /* that of fetch() */
  PROMISE("agent.simple.dynamic", fields_now() == 2);
}
