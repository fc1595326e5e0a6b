/* An archive in every mode, in both directions, with profiles. */
#include "program.h"

static pmID pmids[10];
static int count;

static void fetch_some(const char* what, int times) {
  pmResult* result;
  int i, sts;
  printf("%s\n", what);
  for (i = 0; i < times; ++i) {
    if ((sts = pmFetch(count, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      continue;
    }
    pmSortInstances(result);
    show_result(result);
    pmFreeResult(result);
  }
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval end, middle;
  struct timespec fine, step = {-7, -500000000};
  pmResult* result;
  pmHighResResult* record;
  pmDesc desc;
  int i, sts, first[1] = {0};
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) pmids[count++] = metric(argv[i]);
  if (count == 0) return 1;
  SHOW(pmGetArchiveLabel(&label));
  printf("%x %s %s %ld\n", label.ll_magic, label.ll_hostname, label.ll_tz,
         (long)label.ll_start.tv_sec);
  SHOW(pmGetArchiveEnd(&end));
  SHOW(pmGetHighResArchiveEnd(&fine));
  printf("%ld.%06ld %ld.%09ld\n", (long)end.tv_sec, (long)end.tv_usec, (long)fine.tv_sec,
         fine.tv_nsec);
  fetch_some("as it is opened", 4);
  middle = label.ll_start;
  middle.tv_sec += (end.tv_sec - label.ll_start.tv_sec) / 2;
  SHOW(pmSetMode(PM_MODE_FORW, &middle, 0));
  fetch_some("forward from the middle", 3);
  SHOW(pmSetMode(PM_MODE_BACK, &middle, 0));
  fetch_some("backward from the middle", 30);
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 5000));
  fetch_some("every 5 s", 40);
  SHOW(pmSetMode(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_SEC), &end, -10));
  fetch_some("every 10 s, backward", 5);
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, NULL, &step));
  fetch_some("every 7.5 s, backward", 3);
  SHOW(pmSetMode(PM_MODE_FORW, &label.ll_start, 0));
  for (i = 0; (sts = pmFetchArchive(&result)) >= 0 && i < 5; ++i) {
    show_result(result);
    pmFreeResult(result);
  }
  SHOW(pmFetchHighResArchive(&record));
  if (pmLookupDesc(pmids[0], &desc) >= 0 && desc.indom != PM_INDOM_NULL) {
    SHOW(pmDelProfile(desc.indom, 0, NULL));
    SHOW(pmAddProfile(desc.indom, 1, first));
    SHOW(pmSetMode(PM_MODE_INTERP, &middle, 1000));
    fetch_some("one instance", 2);
    SHOW(pmAddProfile(desc.indom, 0, NULL));
    SHOW(pmDelProfile(desc.indom, 1, first));
    fetch_some("all but one", 2);
    SHOW(pmDelProfile(PM_INDOM_NULL, 0, NULL));
    fetch_some("none", 2);
    SHOW(pmAddProfile(PM_INDOM_NULL, 0, NULL));
    SHOW(pmDelProfile(desc.indom, 1, first));
    fetch_some("a domain that begins with an exception", 2);
  }
  SHOW(pmAddProfile(PM_INDOM_NULL, 0, NULL));
  SHOW(pmDupContext());
  fetch_some("of a duplicate", 1);
  SHOW(pmReconnectContext(pmWhichContext()));
  SHOW(pmDestroyContext(pmWhichContext()));
  SHOW(pmWhichContext());
  return 0;
}
