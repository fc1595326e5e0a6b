/* One metric of an archive: all recorded values in order, then interpolated ones from the end to
 * the start every ten seconds, as the Guide does both. */
#include "program.h"

static void dump(const pmResult* result) {
  int i;
  for (i = 0; i < result->vset[0]->numval; ++i)
    printf(" %d:0x%x", result->vset[0]->vlist[i].inst, result->vset[0]->vlist[i].value.lval);
}

static void forward(const char* archive, const char* name) {
  pmID pmid;
  pmResult* result;
  int sts, count = 0;
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, archive));
  SHOW(pmLookupName(1, &name, &pmid));
  for (;;) {
    sts = pmFetch(1, &pmid, &result);
    if (sts < 0) break;
    printf("%ld.%06ld", (long)result->timestamp.tv_sec, (long)result->timestamp.tv_usec);
    if (result->vset[0]->numval > 0 && result->vset[0]->valfmt == PM_VAL_INSITU) dump(result);
    printf("\n");
    pmFreeResult(result);
    ++count;
  }
  printf("%d records, then %s\n", count, pmErrStr(sts));
}

static void backward(const char* archive, const char* name) {
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  struct timeval end;
  int sts, i;
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, archive));
  SHOW(pmLookupName(1, &name, &pmid));
  SHOW(pmLookupDesc(pmid, &desc));
  SHOW(pmGetArchiveEnd(&end));
  SHOW(pmSetMode(PM_MODE_INTERP, &end, -10000));
  while ((sts = pmFetch(1, &pmid, &result)) != PM_ERR_EOL) {
    if (sts < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      break;
    }
    pmPrintStamp(stdout, &result->timestamp);
    for (i = 0; i < result->vset[0]->numval; ++i) {
      printf(" %d:", result->vset[0]->vlist[i].inst);
      pmPrintValue(stdout, result->vset[0]->valfmt, desc.type, &result->vset[0]->vlist[i], 8);
    }
    printf("\n");
    pmFreeResult(result);
  }
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  forward(argv[1], argv[2]);
  backward(argv[1], argv[2]);
  return 0;
}
