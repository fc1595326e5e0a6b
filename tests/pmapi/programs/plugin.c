/* A plug-in as collecting daemons have them: configure, initialise, read several times, shut down.
 * Instances are chosen by name, counters become rates, and every mishap is told. */
#include "program.h"

enum { MOST = 16 };
struct metric_config {
  const char *name, *instances[MOST];
  int count;
};
struct reader {
  struct metric_config config[MOST];
  int wanted, context;
  pmID pmids[MOST];
  pmDesc descs[MOST];
  pmResult* before;
};

/* name or name=instance,instance */
static void configure(struct reader* of, char* word) {
  struct metric_config* config = &of->config[of->wanted++];
  char *at = strchr(word, '='), *next;
  config->name = word;
  if (!at) return;
  *at = '\0';
  for (next = strtok(at + 1, ","); next && config->count < MOST; next = strtok(NULL, ","))
    config->instances[config->count++] = next;
}

static void choose(struct reader* of) {
  int i, k, chosen[MOST], sts;
  for (i = 0; i < of->wanted; ++i) {
    const struct metric_config* config = &of->config[i];
    int found = 0;
    if (of->descs[i].pmid == PM_ID_NULL || config->count == 0) continue;
    sts = pmDelProfile(of->descs[i].indom, 0, NULL);
    printf("pmDelProfile %s %d\n", pmInDomStr(of->descs[i].indom), sts);
    for (k = 0; k < config->count; ++k) {
      sts = pmLookupInDom(of->descs[i].indom, config->instances[k]);
      if (sts < 0) sts = pmLookupInDomArchive(of->descs[i].indom, config->instances[k]);
      if (sts < 0)
        printf("%s[%s]: %s\n", config->name, config->instances[k], pmErrStr(sts));
      else
        chosen[found++] = sts;
    }
    sts = pmAddProfile(of->descs[i].indom, found, chosen);
    printf("pmAddProfile %d: %d\n", found, sts);
  }
}

static int initialise(struct reader* of) {
  const char* names[MOST];
  int i, sts;
  for (i = 0; i < of->wanted; ++i) names[i] = of->config[i].name;
  sts = pmLookupName(of->wanted, names, of->pmids);
  printf("pmLookupName %d\n", sts);
  if (sts < 0 && sts != PM_ERR_NAME && sts != PM_ERR_NONLEAF) return sts;
  for (i = 0; i < of->wanted; ++i) {
    sts = pmLookupDesc(of->pmids[i], &of->descs[i]);
    if (sts < 0) {
      printf("%s: %s\n", names[i], pmErrStr(sts));
      of->descs[i].pmid = PM_ID_NULL;
      continue;
    }
    printf("%s: ", names[i]);
    pmPrintDesc(stdout, &of->descs[i]);
  }
  choose(of);
  return 0;
}

static const pmValue* same_instance(const pmValueSet* set, int inst) {
  int i;
  for (i = 0; i < set->numval; ++i)
    if (set->vlist[i].inst == inst) return &set->vlist[i];
  return NULL;
}

static void dispatch(struct reader* of, int which, const pmResult* now) {
  const pmValueSet* set = now->vset[which];
  const pmValueSet* was_set = of->before ? of->before->vset[which] : NULL;
  const pmDesc* desc = &of->descs[which];
  int i;
  for (i = 0; i < set->numval; ++i) {
    pmAtomValue value, old;
    const pmValue* was = was_set ? same_instance(was_set, set->vlist[i].inst) : NULL;
    int sts = pmExtractValue(set->valfmt, &set->vlist[i], desc->type, &value, PM_TYPE_U64);
    printf("  %s %d %s", of->config[which].name, set->vlist[i].inst,
           sts < 0 ? pmErrStr(sts) : pmAtomStr(&value, PM_TYPE_U64));
    if (sts >= 0 && desc->sem == PM_SEM_COUNTER && was &&
        pmExtractValue(was_set->valfmt, was, desc->type, &old, PM_TYPE_U64) >= 0)
      printf(" %.6f per second%s",
             (double)(int64_t)(value.ull - old.ull) /
                 pmtimevalSub(&now->timestamp, &of->before->timestamp),
             value.ull < old.ull ? ", reset" : "");
    printf("\n");
  }
  if (set->numval < 0) printf("  %s %s\n", of->config[which].name, pmErrStr(set->numval));
}

static int read_once(struct reader* of) {
  pmResult* now;
  int i, sts = pmFetch(of->wanted, of->pmids, &now);
  if (sts < 0) {
    printf("pmFetch: %s\n", pmErrStr(sts));
    if (sts == PM_ERR_IPC) sts = pmReconnectContext(of->context);
    return sts;
  }
  pmSortInstances(now);
  pmPrintStamp(stdout, &now->timestamp);
  putchar('\n');
  for (i = 0; i < of->wanted; ++i)
    if (of->descs[i].pmid != PM_ID_NULL) dispatch(of, i, now);
  if (of->before) pmFreeResult(of->before);
  of->before = now;
  return 0;
}

int main(int argc, char** argv) {
  static struct reader reader;
  struct timeval start;
  pmLogLabel label;
  int i;
  if ((reader.context = open_context(argc, argv)) < 0 || argc < 4) return 1;
  for (i = 3; i < argc && reader.wanted < MOST; ++i) configure(&reader, argv[i]);
  if (initialise(&reader) < 0) return 1;
  if (pmGetArchiveLabel(&label) >= 0) {
    start = label.ll_start;
    start.tv_sec += 3;
    SHOW(pmSetMode(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_SEC), &start, 7));
  }
  for (i = 0; i < 8 && read_once(&reader) >= 0; ++i) continue;
  if (reader.before) pmFreeResult(reader.before);
  SHOW(pmDestroyContext(reader.context));
  return 0;
}
