/* txmon: counts and times of transactions that programs record in shared memory (txrecord). The
 * types of transactions are its arguments, and its instances. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <txmon.h>

#define TXMON 248

enum txmon_item { COUNT, AVE_TIME, MAX_TIME, RESET_COUNT, LEVEL, RESET, ITEMS };
#define TX_INDOM 0

static pmdaIndom indoms[] = {{TX_INDOM, 0, NULL}};
static pmdaMetric metrics[] = {
    {NULL,
     {PMDA_PMID(0, COUNT), PM_TYPE_U32, TX_INDOM, PM_SEM_COUNTER,
      PMDA_PMUNITS(0, 0, 1, 0, 0, PM_COUNT_ONE)}},
    {NULL,
     {PMDA_PMID(0, AVE_TIME), PM_TYPE_FLOAT, TX_INDOM, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 1, -1, 0, PM_TIME_SEC, PM_COUNT_ONE)}},
    {NULL,
     {PMDA_PMID(0, MAX_TIME), PM_TYPE_FLOAT, TX_INDOM, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_SEC, 0)}},
    {NULL,
     {PMDA_PMID(0, RESET_COUNT), PM_TYPE_U32, TX_INDOM, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 1, 0, 0, PM_COUNT_ONE)}},
    {NULL,
     {PMDA_PMID(0, LEVEL), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(0, RESET), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
};

static txmon_control* control;
static int segment = -1;

static size_t rounded(size_t bytes) { return (bytes + TXMON_LINE - 1) / TXMON_LINE * TXMON_LINE; }

static void remove_segment(void) { shmctl(segment, IPC_RMID, NULL); }

/* 0, or -1 once it has said why not. */
static int make_segment(int count, char** types) {
  const size_t each = rounded(sizeof(txmon_stat));
  const size_t first = rounded(sizeof(txmon_control) + (size_t)count * sizeof(int));
  int i;

  segment = shmget(TXMON_KEY, first + (size_t)count * each, IPC_CREAT | 0666);
  if (segment < 0) {
    fprintf(stderr, "shmget: %s\n", strerror(errno));
    return -1;
  }
  control = shmat(segment, NULL, 0);
  if (control == (void*)-1) {
    fprintf(stderr, "shmat: %s\n", strerror(errno));
    return -1;
  }
  indoms[0].it_numinst = count;
  indoms[0].it_set = calloc((size_t)count, sizeof(pmdaInstid));
  if (indoms[0].it_set == NULL) pmNoMem("txmon", (size_t)count * sizeof(pmdaInstid), PM_FATAL_ERR);
  control->level = TXMON_TIMES;
  control->n_tx = count;
  for (i = 0; i < count; i++) {
    txmon_stat* stat;
    control->index[i] = (int)(first + (size_t)i * each);
    stat = TXMON_STAT(control, i);
    memset(stat, 0, sizeof *stat);
    pmstrncpy(stat->type, sizeof stat->type, types[i]);
    stat->max_time = -1;
    indoms[0].it_set[i].i_inst = i;
    indoms[0].it_set[i].i_name = stat->type;
  }
  return 0;
}

static int value_of_type(enum txmon_item item, const txmon_stat* stat, pmAtomValue* atom) {
  const unsigned int since = stat->count - stat->reset_count;
  const int wants_times = item == AVE_TIME || item == MAX_TIME;
  if (control->level < (wants_times ? TXMON_TIMES : TXMON_COUNTS)) return PM_ERR_AGAIN;
  switch (item) {
    case COUNT: atom->ul = stat->count; break;
    case AVE_TIME: atom->f = since == 0 ? -1 : (float)(stat->sum_time / since); break;
    case MAX_TIME: atom->f = stat->max_time; break;
    default: atom->ul = since; break;
  }
  return PMDA_FETCH_STATIC;
}

static int value_of(pmdaMetric* metric, unsigned int inst, pmAtomValue* atom) {
  const unsigned int item = pmID_item(metric->m_desc.pmid);
  if (pmID_cluster(metric->m_desc.pmid) != 0 || item >= ITEMS) return PM_ERR_PMID;
  if (item == LEVEL || item == RESET) {
    if (inst != PM_IN_NULL) return PM_ERR_INST;
    atom->ul = item == LEVEL ? (unsigned int)control->level : 1;
    return PMDA_FETCH_STATIC;
  }
  if (inst >= (unsigned int)control->n_tx) return PM_ERR_INST;
  return value_of_type((enum txmon_item)item, TXMON_STAT(control, inst), atom);
}

static void reset(void) {
  int i;
  for (i = 0; i < control->n_tx; i++) {
    txmon_stat* stat = TXMON_STAT(control, i);
    stat->reset_count = stat->count;
    stat->sum_time = 0;
    stat->max_time = -1;
  }
}

static int store_set(const pmValueSet* set) {
  const unsigned int item = pmID_item(set->pmid);
  if (pmID_cluster(set->pmid) != 0 || item >= ITEMS) return PM_ERR_PMID;
  if (item != LEVEL && item != RESET) return PM_ERR_PERMISSION;
  if (set->numval != 1 || set->valfmt != PM_VAL_INSITU) return PM_ERR_BADSTORE;
  if (item == RESET) {
    reset();
    return 0;
  }
  control->level = set->vlist[0].value.lval;
  if (control->level >= 0) return 0;
  control->level = 0;
  return PM_ERR_SIGN;
}

static int store(pmResult* result, pmdaExt* ext) {
  int i, status = 0;
  (void)ext;
  for (i = 0; i < result->numpmid && status == 0; i++) status = store_set(result->vset[i]);
  return status;
}

static void begin(pmdaInterface* agent) {
  if (agent->status != 0) return;
  agent->version.any.store = store;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaInit(agent, indoms, 1, metrics, ITEMS);
}

/* A shared object has no arguments: the types stand in txmon.conf, a name a line. */
__PMDA_INIT_CALL
void txmon_init(pmdaInterface* agent) {
  static char name[] = "txmon DSO", names[16][TXMON_TYPE_BYTES], *types[16];
  char path[MAXPATHLEN];
  int count = 0;
  FILE* file;

  pmsprintf(path, sizeof path, "%s/txmon/txmon.conf", pmGetConfig("PCP_PMDAS_DIR"));
  file = fopen(path, "r");
  while (file != NULL && count < 16 && fscanf(file, "%19s", names[count]) == 1) {
    types[count] = names[count];
    count++;
  }
  if (file != NULL) fclose(file);
  pmsprintf(path, sizeof path, "%s/txmon/help", pmGetConfig("PCP_PMDAS_DIR"));
  pmdaDSO(agent, PMDA_INTERFACE_7, name, path);
  if (agent->status == 0 && (count == 0 || make_segment(count, types) < 0))
    agent->status = PM_ERR_GENERIC;
  begin(agent);
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
static pmdaOptions opts = {.short_options = "D:d:h:i:l:pu:U:6:?",
                           .long_options = longopts,
                           .short_usage = "[options] tx_type ..."};

int main(int argc, char** argv) {
  pmdaInterface agent;
  char path[MAXPATHLEN];

  pmSetProgname(argv[0]);
  pmsprintf(path, sizeof path, "%s/txmon/help", pmGetConfig("PCP_PMDAS_DIR"));
  pmdaDaemon(&agent, PMDA_INTERFACE_7, pmGetProgname(), TXMON, "txmon.log", path);
  while (pmdaGetOptions(argc, argv, &opts, &agent) != EOF) opts.errors++;
  if (opts.errors == 0 && opts.optind >= argc) {
    pmprintf("No transaction types specified\n");
    opts.errors++;
  }
  if (opts.errors) {
    pmdaUsageMessage(&opts);
    return 1;
  }
  pmdaOpenLog(&agent);
  if (opts.username != NULL) pmSetProcessIdentity(opts.username);
  if (make_segment(argc - opts.optind, argv + opts.optind) < 0) return 1;
  atexit(remove_segment);
  begin(&agent);
  pmdaConnect(&agent);
  pmdaMain(&agent);
  return 0;
}
