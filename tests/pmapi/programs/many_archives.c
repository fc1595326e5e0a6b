/* Archives as lists, folders, files of them and nonsense, one context for each word. */
#include "program.h"

static int leaves;
static void leaf(const char* name) { leaves += *name != '\0'; }

int main(int argc, char** argv) {
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i < argc; ++i) {
    pmLogLabel label;
    struct timeval end;
    pmResult* result;
    int records = 0, marks = 0, sts, context = pmNewContext(PM_CONTEXT_ARCHIVE, argv[i]);
    printf("%s: %s\n", strrchr(argv[i], '/') ? strrchr(argv[i], '/') : argv[i],
           context < 0 ? pmErrStr(context) : "open");
    if (context < 0) continue;
    SHOW(pmGetArchiveLabel(&label));
    SHOW(pmGetArchiveEnd(&end));
    printf("%s %s %ld.%06ld %ld.%06ld %s\n", label.ll_hostname, label.ll_tz,
           (long)label.ll_start.tv_sec, (long)label.ll_start.tv_usec, (long)end.tv_sec,
           (long)end.tv_usec, pmGetContextHostName(context));
    leaves = 0;
    SHOW(pmTraversePMNS("", leaf));
    while ((sts = pmFetchArchive(&result)) >= 0) {
      ++records;
      marks += result->numpmid == 0;
      pmFreeResult(result);
    }
    printf("%d leaves, %d records, %d marks, %s\n", leaves, records, marks, pmErrStr(sts));
    SHOW(pmDestroyContext(context));
  }
  return 0;
}
