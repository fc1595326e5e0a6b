/* The same as monitor.c in short, compiled for options in nanoseconds. */
#define PMAPI_VERSION 3
#include "program.h"

static pmLongOptions longopts[] = {PMAPI_GENERAL_OPTIONS, PMAPI_OPTIONS_END};
static pmOptions opts = {
    .version = PMAPI_VERSION, .short_options = PMAPI_OPTIONS, .long_options = longopts};

int main(int argc, char** argv) {
  pmHighResResult* result;
  pmID pmid;
  int c, sts, i;
  const char* name;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (getenv("FLAGS")) opts.flags = (int)strtol(getenv("FLAGS"), NULL, 0);
  while ((c = pmGetOptions(argc, argv, &opts)) != EOF) continue;
  printf("version %d size %zu\n", opts.version, sizeof opts);
  if (opts.errors || (opts.flags & PM_OPTFLAG_EXIT)) {
    pmUsageMessage(&opts);
    return 1;
  }
  if (opts.narchives == 0 && opts.nhosts == 0) return 1;
  SHOW(sts = pmNewContext(opts.context, opts.narchives ? opts.archives[0] : opts.hosts[0]));
  SHOW(pmGetContextOptions(sts, &opts));
  pmflush();
  printf("start %ld.%09ld finish %ld.%09ld origin %ld.%09ld interval %ld.%09ld\n",
         (long)opts.start.tv_sec, opts.start.tv_nsec, (long)opts.finish.tv_sec, opts.finish.tv_nsec,
         (long)opts.origin.tv_sec, opts.origin.tv_nsec, (long)opts.interval.tv_sec,
         opts.interval.tv_nsec);
  if (opts.optind >= argc) return 0;
  name = argv[opts.optind];
  SHOW(pmLookupName(1, &name, &pmid));
  if (opts.narchives) SHOW(pmSetModeHighRes(PM_MODE_INTERP, &opts.origin, &opts.interval));
  for (i = 0; i < 4; ++i) {
    if ((sts = pmFetchHighRes(1, &pmid, &result)) < 0) {
      printf("%s\n", pmErrStr(sts));
      continue;
    }
    pmPrintHighResStamp(stdout, &result->timestamp);
    printf(" %d values\n", result->vset[0]->numval);
    pmFreeHighResResult(result);
  }
  pmFreeOptions(&opts);
  return 0;
}
