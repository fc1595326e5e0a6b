/* simple: metrics with and without instances, stores, an instance domain that changes while the
 * agent runs, and labels. One source makes the daemon and the shared object. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <sys/times.h>

#define SIMPLE 253

/* Clusters and items: simple.numfetch 0.0, simple.color 0.1, simple.time.user 1.2,
 * simple.time.sys 1.3, simple.now 2.4. */
enum simple_cluster { OWN, USED, NOW };
enum simple_item { NUMFETCH, COLOR, USER, SYSTEM, NOW_FIELD };
enum simple_indom { COLORS, FIELDS };
#define COLOR_MAX 255

static pmdaInstid colors[] = {{0, "red"}, {1, "green"}, {2, "blue"}};
static pmdaIndom indoms[] = {{COLORS, 3, colors}, {FIELDS, 0, NULL}};

static pmdaMetric metrics[] = {
    {NULL,
     {PMDA_PMID(OWN, NUMFETCH), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(OWN, COLOR), PM_TYPE_32, COLORS, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(USED, USER), PM_TYPE_DOUBLE, PM_INDOM_NULL, PM_SEM_COUNTER,
      PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_SEC, 0)}},
    {NULL,
     {PMDA_PMID(USED, SYSTEM), PM_TYPE_DOUBLE, PM_INDOM_NULL, PM_SEM_COUNTER,
      PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_SEC, 0)}},
    {NULL,
     {PMDA_PMID(NOW, NOW_FIELD), PM_TYPE_U32, FIELDS, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
};

static unsigned int numfetch;
static int color[] = {0, 100, 200};
static struct tms used; /* read once a fetch, so that both parts belong together */
static int have_used;
static struct tm now;

/* --- The domain of simple.now: what the first line of simple.conf lists, again when it changes. */
static struct field {
  const char* name;
  unsigned int value;
} fields[] = {{"sec", 0}, {"min", 0}, {"hour", 0}};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static void read_fields(pmInDom indom, const char* path) {
  char line[128], *at, *end, *name;
  FILE* file = fopen(path, "r");
  size_t i;

  pmdaCacheOp(indom, PMDA_CACHE_INACTIVE);
  if (file == NULL) {
    pmNotifyErr(LOG_ERR, "fopen on %s failed: %s", path, strerror(errno));
    return;
  }
  if (fgets(line, sizeof line, file) != NULL) {
    for (at = line; (name = strtok_r(at, ", \t\n", &end)) != NULL; at = NULL) {
      for (i = 0; i < FIELD_COUNT && strcmp(fields[i].name, name) != 0; i++) continue;
      if (i == FIELD_COUNT)
        pmNotifyErr(LOG_WARNING, "unknown instance \"%s\" in %s", name, path);
      else
        pmdaCacheStore(indom, PMDA_CACHE_ADD, name, &fields[i]);
    }
  }
  fclose(file);
}

static void check_fields(void) {
  static struct timespec read_at;
  static int told;
  const pmInDom indom = indoms[FIELDS].it_indom;
  char path[MAXPATHLEN];
  struct stat about;

  pmsprintf(path, sizeof path, "%s/simple/simple.conf", pmGetConfig("PCP_PMDAS_DIR"));
  if (stat(path, &about) < 0) {
    if (told != errno) pmNotifyErr(LOG_ERR, "stat failed on %s: %s", path, strerror(errno));
    told = errno;
    pmdaCacheOp(indom, PMDA_CACHE_INACTIVE);
    read_at.tv_sec = read_at.tv_nsec = 0;
    return;
  }
  told = 0;
  if (about.st_mtim.tv_sec == read_at.tv_sec && about.st_mtim.tv_nsec == read_at.tv_nsec) return;
  read_at = about.st_mtim;
  read_fields(indom, path);
}

/* --- Values. */
static int used_value(enum simple_item item, pmAtomValue* atom) {
  const double ticks = (double)sysconf(_SC_CLK_TCK);
  if (!have_used) {
    times(&used);
    have_used = 1;
  }
  if (item == USER)
    atom->d = (double)used.tms_utime / ticks;
  else if (item == SYSTEM)
    atom->d = (double)used.tms_stime / ticks;
  else
    return PM_ERR_PMID;
  return PMDA_FETCH_STATIC;
}

static int own_value(enum simple_item item, unsigned int inst, pmAtomValue* atom) {
  if (item == NUMFETCH) {
    if (inst != PM_IN_NULL) return PM_ERR_INST;
    atom->ul = numfetch;
    return PMDA_FETCH_STATIC;
  }
  if (item != COLOR) return PM_ERR_PMID;
  if (inst >= sizeof color / sizeof color[0]) return PM_ERR_INST;
  color[inst] = (color[inst] + 1) % (COLOR_MAX + 1);
  atom->l = color[inst];
  return PMDA_FETCH_STATIC;
}

static int now_value(pmInDom indom, unsigned int inst, pmAtomValue* atom) {
  struct field* field;
  if (pmdaCacheLookup(indom, (int)inst, NULL, (void**)&field) != PMDA_CACHE_ACTIVE)
    return PM_ERR_INST;
  if (field == &fields[0])
    atom->ul = (unsigned int)now.tm_sec;
  else if (field == &fields[1])
    atom->ul = (unsigned int)now.tm_min;
  else
    atom->ul = (unsigned int)now.tm_hour;
  return PMDA_FETCH_STATIC;
}

static int value_of(pmdaMetric* metric, unsigned int inst, pmAtomValue* atom) {
  const enum simple_item item = pmID_item(metric->m_desc.pmid);
  switch (pmID_cluster(metric->m_desc.pmid)) {
    case OWN: return own_value(item, inst, atom);
    case USED: return used_value(item, atom);
    case NOW: return item == NOW_FIELD ? now_value(metric->m_desc.indom, inst, atom) : PM_ERR_PMID;
    default: return PM_ERR_PMID;
  }
}

static int fetch(int count, pmID* pmids, pmResult** out, pmdaExt* ext) {
  struct timeval when;
  numfetch++;
  have_used = 0;
  pmtimevalNow(&when);
  pmLocaltime(&when.tv_sec, &now);
  check_fields();
  return pmdaFetch(count, pmids, out, ext);
}

static int instance(pmInDom indom, int inst, char* name, pmInResult** out, pmdaExt* ext) {
  check_fields();
  return pmdaInstance(indom, inst, name, out, ext);
}

/* --- Stores: what does not fit is cut, and told. */
static int store_color(const pmValueSet* set) {
  int i;
  for (i = 0; i < set->numval; i++) {
    const unsigned int inst = (unsigned int)set->vlist[i].inst;
    const int value = set->vlist[i].value.lval;
    if (inst >= sizeof color / sizeof color[0]) return PM_ERR_INST;
    color[inst] = value < 0 ? 0 : value > COLOR_MAX ? COLOR_MAX : value;
    if (color[inst] != value) return PM_ERR_BADSTORE;
  }
  return 0;
}

static int store_numfetch(const pmValueSet* set) {
  const int value = set->numval == 1 ? set->vlist[0].value.lval : -1;
  if (set->numval != 1) return PM_ERR_BADSTORE;
  numfetch = value < 0 ? 0 : (unsigned int)value;
  return value < 0 ? PM_ERR_BADSTORE : 0;
}

static int store_set(const pmValueSet* set) {
  const unsigned int cluster = pmID_cluster(set->pmid), item = pmID_item(set->pmid);
  if (cluster == OWN && (item == NUMFETCH || item == COLOR)) {
    if (set->numval > 0 && set->valfmt != PM_VAL_INSITU) return PM_ERR_BADSTORE;
    return item == COLOR ? store_color(set) : store_numfetch(set);
  }
  if ((cluster == USED && (item == USER || item == SYSTEM)) ||
      (cluster == NOW && item == NOW_FIELD))
    return PM_ERR_PERMISSION;
  return PM_ERR_PMID;
}

static int store(pmResult* result, pmdaExt* ext) {
  int i, status = 0;
  (void)ext;
  for (i = 0; i < result->numpmid && status == 0; i++) status = store_set(result->vset[i]);
  return status;
}

/* --- Labels. */
static int label(int ident, int type, pmLabelSet** out, pmdaExt* ext) {
  if (type == PM_LABEL_DOMAIN) pmdaAddLabels(out, "{\"role\":\"testing\"}");
  if (type == PM_LABEL_INDOM && pmInDom_serial((pmInDom)ident) == COLORS)
    pmdaAddLabels(out, "{\"indom_name\":\"color\",\"model\":\"RGB\"}");
  if (type == PM_LABEL_INDOM && pmInDom_serial((pmInDom)ident) == FIELDS)
    pmdaAddLabels(out, "{\"indom_name\":\"time\",\"unitsystem\":\"SI\"}");
  return pmdaLabel(ident, type, out, ext);
}

static int instance_label(pmInDom indom, unsigned int inst, pmLabelSet** out) {
  struct field* field;
  if (indom == PM_INDOM_NULL || pmInDom_serial(indom) != FIELDS) return 0;
  if (pmdaCacheLookup(indom, (int)inst, NULL, (void**)&field) != PMDA_CACHE_ACTIVE) return 0;
  return pmdaAddLabels(out, "{\"units\":\"%s\"}", field->name);
}

__PMDA_INIT_CALL
void simple_init(pmdaInterface* agent) {
  static char name[] = "simple DSO";
  if (agent->comm.pmda_interface == 0xff) { /* pmcd asks: nobody has set it up yet */
    char path[MAXPATHLEN];
    pmsprintf(path, sizeof path, "%s/simple/help", pmGetConfig("PCP_PMDAS_DIR"));
    pmdaDSO(agent, PMDA_INTERFACE_7, name, path);
  }
  if (agent->status != 0) return;
  agent->version.seven.fetch = fetch;
  agent->version.seven.instance = instance;
  agent->version.seven.store = store;
  agent->version.seven.label = label;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaSetLabelCallBack(agent, instance_label);
  pmdaInit(agent, indoms, sizeof indoms / sizeof indoms[0], metrics,
           sizeof metrics / sizeof metrics[0]);
  pmdaCacheOp(indoms[FIELDS].it_indom, PMDA_CACHE_INACTIVE); /* there is one, if empty */
}

static pmLongOptions longopts[] = {
    PMDA_OPTIONS_HEADER("Options"),
    PMOPT_DEBUG,
    PMDAOPT_DOMAIN,
    PMDAOPT_HELPTEXT,
    PMDAOPT_LOGFILE,
    PMDAOPT_USERNAME,
    PMOPT_HELP,
    PMDA_OPTIONS_TEXT("\nExactly one of the following options may appear:"),
    PMDAOPT_INET,
    PMDAOPT_PIPE,
    PMDAOPT_UNIX,
    PMDAOPT_IPV6,
    PMDA_OPTIONS_END};
static pmdaOptions opts = {.short_options = "D:d:h:i:l:pu:U:6:?", .long_options = longopts};

int main(int argc, char** argv) {
  pmdaInterface agent;
  char path[MAXPATHLEN];

  pmSetProgname(argv[0]);
  pmsprintf(path, sizeof path, "%s/simple/help", pmGetConfig("PCP_PMDAS_DIR"));
  pmdaDaemon(&agent, PMDA_INTERFACE_7, pmGetProgname(), SIMPLE, "simple.log", path);
  while (pmdaGetOptions(argc, argv, &opts, &agent) != EOF) opts.errors++;
  if (opts.errors) {
    pmdaUsageMessage(&opts);
    return 1;
  }
  pmdaOpenLog(&agent);
  if (opts.username != NULL) pmSetProcessIdentity(opts.username);
  simple_init(&agent);
  pmdaConnect(&agent);
  pmdaMain(&agent);
  return 0;
}
