/* A tool as most are: standard options, a context, a zone and a window, a loop over samples. */
#include "program.h"

static int pause_between;
static const char* names[50];
static pmID pmids[50];
static pmDesc descs[50];
static int count;

static int is_ours(int c, pmOptions* opts) {
  (void)opts;
  return c == 'p';
}

static pmLongOptions longopts[] = {PMAPI_GENERAL_OPTIONS,
                                   PMOPT_HOST_LIST,
                                   PMOPT_ARCHIVE_LIST,
                                   PMAPI_OPTIONS_HEADER("Reporting options"),
                                   {"pause", 0, 'p', 0, "wait between samples"},
                                   {"precision", 1, 'P', "N", "digits behind the point"},
                                   PMAPI_OPTIONS_END};
static pmOptions opts = {.short_options = "A:a:D:h:n:O:pP:S:s:T:t:VZ:z?",
                         .long_options = longopts,
                         .short_usage = "[options] metric ...",
                         .override = is_ours};

static void leaf(const char* name) {
  if (count < 50) names[count++] = strdup(name);
}

static void window(void) {
  printf("start %ld.%06ld finish %ld.%06ld origin %ld.%06ld interval %ld.%06ld samples %d\n",
         (long)opts.start.tv_sec, (long)opts.start.tv_usec, (long)opts.finish.tv_sec,
         (long)opts.finish.tv_usec, (long)opts.origin.tv_sec, (long)opts.origin.tv_usec,
         (long)opts.interval.tv_sec, (long)opts.interval.tv_usec, opts.samples);
}

static void report(const pmResult* result, int precision) {
  char stamp[30];
  time_t at = result->timestamp.tv_sec;
  int i, k;
  printf("%s", pmCtime(&at, stamp));
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    printf("  %s:", names[i]);
    if (set->numval < 0) printf(" %s", pmErrStr(set->numval));
    if (set->numval == 0) printf(" none");
    for (k = 0; k < set->numval; ++k) {
      pmAtomValue atom;
      if (set->vlist[k].inst != (int)PM_IN_NULL) printf(" %d=", set->vlist[k].inst);
      if (descs[i].type == PM_TYPE_DOUBLE || descs[i].type == PM_TYPE_FLOAT) {
        pmExtractValue(set->valfmt, &set->vlist[k], descs[i].type, &atom, PM_TYPE_DOUBLE);
        printf(" %.*f", precision, atom.d);
      } else {
        putchar(' ');
        pmPrintValue(stdout, set->valfmt, descs[i].type, &set->vlist[k], 1);
      }
    }
    printf("\n");
  }
}

static int open_source(void) {
  const char* source = opts.context == PM_CONTEXT_ARCHIVE ? opts.archives[0]
                       : opts.nhosts > 0                  ? opts.hosts[0]
                                                          : "local:";
  int type = opts.context == PM_CONTEXT_ARCHIVE ? PM_CONTEXT_ARCHIVE : PM_CONTEXT_HOST, sts;
  if ((sts = pmNewContext(type, source)) < 0) {
    fprintf(stderr, "%s: cannot open %s: %s\n", pmGetProgname(), source, pmErrStr(sts));
    return sts;
  }
  if (pmGetContextOptions(sts, &opts) != 0) {
    pmflush();
    return -1;
  }
  return sts;
}

int main(int argc, char** argv) {
  pmResult* result;
  int c, sts, i, precision = 2;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (getenv("FLAGS")) opts.flags = (int)strtol(getenv("FLAGS"), NULL, 0);
  while ((c = pmGetOptions(argc, argv, &opts)) != EOF) {
    if (c == 'p') pause_between = 1;
    if (c == 'P') precision = atoi(opts.optarg);
  }
  if (opts.errors || (opts.flags & PM_OPTFLAG_EXIT)) {
    sts = !(opts.flags & PM_OPTFLAG_EXIT);
    pmUsageMessage(&opts);
    return sts;
  }
  if (open_source() < 0) return 1;
  window();
  for (i = opts.optind; i < argc; ++i)
    if ((sts = pmTraversePMNS(argv[i], leaf)) < 0)
      fprintf(stderr, "%s: %s: %s\n", pmGetProgname(), argv[i], pmErrStr(sts));
  if (count == 0) return 1;
  SHOW(pmLookupName(count, names, pmids));
  SHOW(pmLookupDescs(count, pmids, descs));
  if (opts.context == PM_CONTEXT_ARCHIVE)
    SHOW(pmSetMode(PM_MODE_INTERP, &opts.origin,
                   (int)(pmtimevalToReal(&opts.interval) * 1000 + 0.5)));
  for (i = 0; i < (opts.samples ? opts.samples : 5); ++i) {
    if ((sts = pmFetch(count, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      if (sts == PM_ERR_EOL) break;
      continue;
    }
    report(result, precision);
    pmFreeResult(result);
  }
  pmFreeOptions(&opts);
  return 0;
}
