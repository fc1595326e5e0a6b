/* trivial: one metric, the seconds since 1970. The least that an agent needs. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>

#define TRIVIAL 250

static pmdaMetric metrics[] = {
    {NULL,
     {PMDA_PMID(0, 0), PM_TYPE_U64, PM_INDOM_NULL, PM_SEM_COUNTER,
      PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_SEC, 0)}},
};

/* Interface 2: 0 says that the atom has the value. */
static int value_of(pmdaMetric* metric, unsigned int inst, pmAtomValue* atom) {
  const pmID pmid = metric->m_desc.pmid;
  struct timeval now;
  if (pmID_cluster(pmid) != 0 || pmID_item(pmid) != 0) return PM_ERR_PMID;
  if (inst != PM_IN_NULL) return PM_ERR_INST;
  pmtimevalNow(&now);
  atom->ull = (unsigned long long)now.tv_sec;
  return 0;
}

__PMDA_INIT_CALL
void trivial_init(pmdaInterface* agent) {
  static char name[] = "trivial DSO";
  if (agent->comm.pmda_interface == 0xff) { /* pmcd asks: nobody has set it up yet */
    char path[MAXPATHLEN];
    pmsprintf(path, sizeof path, "%s/trivial/help", pmGetConfig("PCP_PMDAS_DIR"));
    pmdaDSO(agent, PMDA_INTERFACE_2, name, path);
  }
  if (agent->status != 0) return;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaInit(agent, NULL, 0, metrics, sizeof metrics / sizeof metrics[0]);
}

static pmLongOptions longopts[] = {
    PMDA_OPTIONS_HEADER("Options"),
    PMOPT_DEBUG,
    PMDAOPT_DOMAIN,
    PMDAOPT_HELPTEXT,
    PMDAOPT_LOGFILE,
    PMOPT_HELP,
    PMDA_OPTIONS_TEXT("\nExactly one of the following options may appear:"),
    PMDAOPT_INET,
    PMDAOPT_PIPE,
    PMDAOPT_UNIX,
    PMDAOPT_IPV6,
    PMDA_OPTIONS_END};
static pmdaOptions opts = {.short_options = "D:d:h:i:l:pu:6:?", .long_options = longopts};

int main(int argc, char** argv) {
  pmdaInterface agent;
  char path[MAXPATHLEN];

  pmSetProgname(argv[0]);
  pmsprintf(path, sizeof path, "%s/trivial/help", pmGetConfig("PCP_PMDAS_DIR"));
  pmdaDaemon(&agent, PMDA_INTERFACE_2, pmGetProgname(), TRIVIAL, "trivial.log", path);
  while (pmdaGetOptions(argc, argv, &opts, &agent) != EOF) opts.errors++;
  if (opts.errors) {
    pmdaUsageMessage(&opts);
    return 1;
  }
  pmdaOpenLog(&agent);
  trivial_init(&agent);
  pmdaConnect(&agent);
  pmdaMain(&agent);
  return 0;
}
