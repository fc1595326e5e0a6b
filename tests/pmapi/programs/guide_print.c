/* Values of some metrics, raw and as pmPrintValue() writes them, as the Guide shows both. */
#include "program.h"

static pmID pmids[20];
static pmDesc descs[20];

static void raw(const pmResult* result) {
  time_t now = (time_t)result->timestamp.tv_sec;
  int i, k;
  printf("\n@ %s", ctime(&now));
  for (i = 0; i < result->numpmid; ++i) {
    printf("PMID: %s", pmIDStr(result->vset[i]->pmid));
    for (k = 0; k < result->vset[i]->numval && result->vset[i]->valfmt == PM_VAL_INSITU; ++k)
      printf(" 0x%x", (unsigned)result->vset[i]->vlist[k].value.lval);
    putchar('\n');
  }
}

static void printed(const pmResult* result) {
  int i, k;
  for (i = 0; i < result->numpmid; ++i) {
    printf("PMID: %s", pmIDStr(result->vset[i]->pmid));
    for (k = 0; k < result->vset[i]->numval; ++k) {
      printf(" [%d]", result->vset[i]->vlist[k].inst);
      pmPrintValue(stdout, result->vset[i]->valfmt, descs[i].type, &result->vset[i]->vlist[k], 8);
    }
    putchar('\n');
  }
}

int main(int argc, char** argv) {
  int count = argc - 3, i, sts;
  pmResult* result;
  if (count < 1 || count > 20 || open_context(argc, argv) < 0) return 1;
  if ((sts = pmLookupName(count, (const char**)argv + 3, pmids)) < 0) {
    printf("pmLookupName: %s\n", pmErrStr(sts));
    return 1;
  }
  printf("%d of %d names\n", sts, count);
  for (i = 0; i < count; ++i) {
    if ((sts = pmLookupDesc(pmids[i], &descs[i])) < 0) {
      printf("pmLookupDesc(pmid=%s): %s\n", pmIDStr(pmids[i]), pmErrStr(sts));
      return 1;
    }
  }
  for (i = 0; i < 2; ++i) {
    if ((sts = pmFetch(count, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      continue;
    }
    raw(result);
    printed(result);
    pmFreeResult(result);
  }
  return 0;
}
