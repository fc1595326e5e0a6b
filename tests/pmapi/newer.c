/* A source for PCP 7, where times are struct timespec everywhere: it compiles with
 * -DPMAPI_VERSION=4, and runs on libpcp.so.3. Without PCP.
 *
 *   pmapi_newer ARCHIVE METRIC
 */
#include <pcp/pmapi.h>

static int failures;
#define EXPECT(holds) \
  if (!(holds)) printf("FAILED %s\n", #holds), ++failures

static pmLongOptions longopts[] = {PMOPT_ARCHIVE, PMOPT_INTERVAL, PMOPT_START, PMAPI_OPTIONS_END};
static pmOptions opts = {.short_options = "a:t:S:", .long_options = longopts};

static void options(const char* archive) {
  char* words[] = {"newer", "-a", NULL, "-t", "1.000000005", "-S", "10.25", NULL};
  int context;
  words[2] = (char*)archive;
  while (pmGetOptions(7, words, &opts) != EOF) ++failures;
  EXPECT(opts.errors == 0 && opts.interval.tv_sec == 1 && opts.interval.tv_nsec == 5);
  EXPECT((context = pmNewContext(opts.context, opts.archives[0])) >= 0);
  EXPECT(pmGetContextOptions(context, &opts) == 0);
  EXPECT(opts.start.tv_sec > 0 && opts.finish.tv_sec > opts.start.tv_sec);
  EXPECT(pmSetMode(PM_MODE_INTERP, &opts.start, &opts.interval) == 0);
  pmFreeOptions(&opts);
}

static void fetches(const char* name) {
  struct timespec before, end;
  struct timeval coarse;
  pmLogLabel label;
  pmResult* result;
  pmResult_v2* old;
  pmID pmid;
  int i;
  EXPECT(pmGetArchiveLabel(&label) == 0 && label.hostname[0] != '\0');
  EXPECT(pmGetArchiveEnd(&end) == 0 && pmtimespecSub(&end, &label.start) > 0);
  EXPECT(pmLookupName(1, &name, &pmid) == 1);
  for (i = 0; i < 3; ++i) {
    EXPECT(pmFetch(1, &pmid, &result) == 0);
    if (i > 0) EXPECT(pmtimespecSub(&result->timestamp, &before) > 1.0);
    before = result->timestamp;
    pmSortInstances(result);
    pmFreeResult(result);
  }
  EXPECT(pmGetArchiveEnd_v2(&coarse) == 0 && coarse.tv_sec == end.tv_sec);
  EXPECT(pmSetMode_v2(PM_MODE_BACK, &coarse, 0) == 0);
  EXPECT(pmFetch_v2(1, &pmid, &old) == 0 && old->timestamp.tv_sec <= coarse.tv_sec);
  pmFreeResult_v2(old);
  EXPECT(pmFetchArchive(&result) == 0);
  pmFreeResult(result);
}

static void derived(void) {
  char* text;
  pmID pmid;
  const char* name = "newer.of_all";
  EXPECT(pmRegisterDerived(name, "1 + 1") == NULL);
  EXPECT(pmAddDerivedText(name, PM_TEXT_ONELINE, "two") == 0);
  EXPECT(pmAddDerivedText(name, PM_TEXT_ONELINE, "two") == PM_ERR_TEXT);
  EXPECT(pmAddDerivedText(name, 7, "two") == PM_ERR_ARG);
  EXPECT(pmLookupName(1, &name, &pmid) == 1 && pmLookupText(pmid, PM_TEXT_HELP, &text) == 0);
  EXPECT(strcmp(text, "two") == 0);
  free(text);
  EXPECT(pmAddDerived("newer.own", "3") == NULL);
  EXPECT(pmAddDerivedText("newer.own", PM_TEXT_HELP, "three") == 0);
  EXPECT(pmUnregisterDerived("newer.own") == 1);
  EXPECT(pmUnregisterDerived(name) == 1 && pmUnregisterDerived(name) == PM_ERR_NAME);
  EXPECT(pmLookupName(1, &name, &pmid) == PM_ERR_NAME);
  EXPECT(pmRegisterDerived(name, "4") == NULL);
}

static void texts(void) {
  static const struct timespec times[] = {{0, 0}, {60, 0}, {61, 500000000}, {3600, 0}, {3725, 5}};
  char buffer[200] = "", *flags = NULL;
  FILE* file = fmemopen(buffer, sizeof buffer, "w");
  size_t i;
  for (i = 0; i < sizeof times / sizeof times[0]; ++i) {
    pmtimespecPrintInterval(file, &times[i]);
    fputc(' ', file);
  }
  fclose(file);
  EXPECT(strcmp(buffer, "0s 60s 1m1.5s 60m0s 1h2m5.000000005s ") == 0);
  EXPECT(pmSetDebug("fetch,tls") == 0 && strcmp(flags = pmGetDebug(), "fetch,tls") == 0);
  free(flags);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  setenv("PCP_DERIVED_CONFIG", "", 1);
  options(argv[1]);
  fetches(argv[2]);
  derived();
  texts();
  printf("%d failures\n", failures);
  return failures != 0;
}
