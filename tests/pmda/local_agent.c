/* An agent for local contexts that says what it is asked: a shared object with an entry for each
 * interface. Each question is a line on the descriptor that LOCAL_AGENT_LOG names. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pmdaInstid instances[] = {{0, "zero"}, {1, "one"}, {2, "two more"}};
static pmdaIndom indoms[] = {{0, 3, instances}};
static pmdaMetric metrics[] = {
    {NULL,
     {PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_COUNTER, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL, {PMDA_PMID(0, 1), PM_TYPE_U32, 0, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(1, 0), PM_TYPE_STRING, PM_INDOM_NULL, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
};

static void say(const char* format, ...) {
  const char* descriptor = getenv("LOCAL_AGENT_LOG");
  va_list arguments;
  if (descriptor == NULL) return;
  va_start(arguments, format);
  vdprintf(atoi(descriptor), format, arguments);
  va_end(arguments);
}

static int value_of(pmdaMetric* metric, unsigned int instance, pmAtomValue* atom) {
  if (metric->m_desc.type == PM_TYPE_STRING) {
    atom->cp = "text";
  } else {
    atom->ul = 40 + (instance == PM_IN_NULL ? 2 : instance);
  }
  return PMDA_FETCH_STATIC;
}

static int profile(pmProfile* given, pmdaExt* ext) {
  say("profile %d %d of %d\n", given->state, given->profile_len, ext->e_context);
  return pmdaProfile(given, ext);
}
static int fetch(int count, pmID* pmids, pmResult** out, pmdaExt* ext) {
  say("fetch %d of %d\n", count, pmdaGetContext());
  return pmids[0] == pmID_build(ext->e_domain, 9, 9) ? PM_ERR_PERMISSION
                                                     : pmdaFetch(count, pmids, out, ext);
}
static int store(pmResult* result, pmdaExt* ext) {
  (void)ext;
  say("store %s %d\n", pmIDStr(result->vset[0]->pmid), result->vset[0]->numval);
  return pmID_cluster(result->vset[0]->pmid) == 1 ? PM_ERR_PERMISSION : 0;
}
static int text(int ident, int type, char** out, pmdaExt* ext) {
  static char nothing[] = "", line[] = "one line";
  (void)ident, (void)ext;
  say("text %d\n", type);
  *out = (type & PM_TEXT_HELP) != 0 ? nothing : line;
  return 0;
}
static int attribute(int context, int key, const char* value, int bytes, pmdaExt* ext) {
  say("attribute %d %d %d\n", context, key, (int)strlen(value) + 1 == bytes);
  return pmdaAttribute(context, key, value, bytes, ext);
}
static int label(int ident, int type, pmLabelSet** out, pmdaExt* ext) {
  if (type == PM_LABEL_DOMAIN) pmdaAddLabels(out, "{\"own\":1}");
  return pmdaLabel(ident, type, out, ext);
}
static void ended(int context) { say("end %d\n", context); }

/* Names below local.own: a, sub.b. */
static int pmid_of(const char* name, pmID* out, pmdaExt* ext) {
  if (strcmp(name, "local.own.a") == 0) return *out = pmID_build(ext->e_domain, 5, 1), 0;
  if (strcmp(name, "local.own.sub.b") == 0) return *out = pmID_build(ext->e_domain, 5, 2), 0;
  return PM_ERR_NAME;
}
static char** list_of(const char* one, const char* other) {
  char** out = malloc(2 * sizeof(char*) + strlen(one) + strlen(other) + 2);
  out[0] = strcpy((char*)(out + 2), one);
  out[1] = strcpy(out[0] + strlen(one) + 1, other);
  return out;
}
static int name_of(pmID pmid, char*** out, pmdaExt* ext) {
  if (pmid != pmID_build(ext->e_domain, 5, 1)) return PM_ERR_PMID;
  *out = list_of("local.own.a", "");
  return 1;
}
static int children(const char* name, int traverse, char*** out, int** status, pmdaExt* ext) {
  pmID pmid;
  const int inner = strcmp(name, "local.own") == 0;
  if (traverse != 0) return PM_ERR_NYI;
  if (pmid_of(name, &pmid, ext) == 0) return 0;
  if (!inner && strcmp(name, "local.own.sub") != 0) return PM_ERR_NAME;
  *out = inner ? list_of("a", "sub") : list_of("b", "");
  *status = calloc(2, sizeof(int));
  (*status)[1] = inner;
  return inner ? 2 : 1;
}

static void begin(pmdaInterface* agent, int version) {
  const char* wrong = getenv("LOCAL_AGENT_WRONG");
  say("begin %d %d %d\n", agent->domain, agent->comm.pmda_interface, agent->comm.pmapi_version);
  pmdaDSO(agent, version, "local DSO", NULL);
  if (agent->status != 0) return;
  agent->version.any.profile = profile;
  agent->version.any.fetch = fetch;
  agent->version.any.store = store;
  agent->version.any.text = text;
  if (version >= PMDA_INTERFACE_4) {
    agent->version.four.pmid = pmid_of;
    agent->version.four.name = name_of;
    agent->version.four.children = children;
  }
  if (version >= PMDA_INTERFACE_5) pmdaSetEndContextCallBack(agent, ended);
  if (version >= PMDA_INTERFACE_6) {
    agent->version.six.attribute = attribute;
    pmdaSetCommFlags(agent, PMDA_FLAG_AUTHORIZE);
  }
  if (version >= PMDA_INTERFACE_7) agent->version.seven.label = label;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaInit(agent, indoms, 1, metrics, sizeof metrics / sizeof *metrics);
  if (wrong == NULL) return;
  if (strcmp(wrong, "status") == 0) agent->status = PM_ERR_PMNS;
  if (strcmp(wrong, "interface") == 0) agent->comm.pmda_interface = 8;
  if (strcmp(wrong, "pmapi") == 0) agent->comm.pmapi_version = 1;
}

void local2_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_2); }
void local7_init(pmdaInterface* agent) { begin(agent, PMDA_INTERFACE_7); }
void nothing_init(pmdaInterface* agent) { agent->comm.pmda_interface = PMDA_INTERFACE_2; }
