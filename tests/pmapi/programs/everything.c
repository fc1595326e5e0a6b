/* All metrics of a source in one fetch, at several times; SHOW=1 in the environment shows each
 * value, and their sum tells whether one differs. */
#include "program.h"

enum { ROOM = 6000 };
static char* names[ROOM];
static pmID pmids[ROOM];
static pmDesc descs[ROOM];
static int count;

static void leaf(const char* name) {
  pmID pmid;
  int i;
  if (count == ROOM || pmLookupName(1, &name, &pmid) < 0 || IS_DERIVED(pmid)) return;
  for (i = 0; i < count; ++i)
    if (pmids[i] == pmid) return; /* twice in an interpolated fetch is too much for some */
  pmids[count] = pmid;
  names[count++] = strdup(name);
}

static unsigned long sum(unsigned long hash, const char* text) {
  for (; *text; ++text) hash = hash * 33 + (unsigned char)*text;
  return hash;
}

static void row(const pmResult* result) {
  unsigned long values = 0, failed = 0, hash = 5381;
  int i, k;
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    if (set->numval < 0) ++failed;
    for (k = 0; k < set->numval; ++k) {
      char text[64] = "text";
      pmAtomValue atom;
      ++values;
      if (pmExtractValue(set->valfmt, &set->vlist[k], descs[i].type, &atom, PM_TYPE_DOUBLE) >= 0)
        snprintf(text, sizeof text, "%.12g", atom.d);
      hash = sum(hash + (unsigned)set->vlist[k].inst, text);
      if (getenv("SHOW")) printf("    %s[%d] %s\n", names[i], set->vlist[k].inst, text);
    }
  }
  pmPrintStamp(stdout, &result->timestamp);
  printf(": %lu values, %lu failed, %lx\n", values, failed, hash);
}

static void rows(int most) {
  pmResult* result;
  int i, sts = 0;
  for (i = 0; i < most && (sts = pmFetch(count, pmids, &result)) >= 0; ++i) {
    pmSortInstances(result);
    row(result);
    pmFreeResult(result);
  }
  if (sts < 0) printf("%s\n", pmErrStr(sts));
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval at, end;
  double length;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmTraversePMNS(argc > 3 ? argv[3] : "", leaf));
  SHOW(count);
  SHOW(pmLookupDescs(count, pmids, descs));
  if (pmGetArchiveLabel(&label) < 0) {
    rows(1);
    return 0;
  }
  SHOW(pmGetArchiveEnd(&end));
  length = pmtimevalSub(&end, &label.ll_start);
  at = label.ll_start;
  SHOW(pmSetMode(PM_MODE_INTERP, &at, (int)(length * 1000 / 7)));
  rows(9);
  SHOW(pmSetMode(PM_MODE_INTERP, &end, -(int)(length * 1000 / 5)));
  rows(7);
  SHOW(pmSetMode(PM_MODE_FORW, &at, 0));
  rows(4);
  SHOW(pmSetMode(PM_MODE_BACK, &end, 0));
  rows(4);
  SHOW(pmSetMode(PM_MODE_INTERP | PM_XTB_SET(PM_TIME_USEC), &at, 1500000));
  rows(3);
  return 0;
}
