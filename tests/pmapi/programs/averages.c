/* Averages over an archive: of the first numeric metrics below a name, from its records. */
#include "program.h"

static void leaf(const char* name, void* closure) {
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  pmLogLabel label;
  double sum = 0, least = 0, most = 0;
  int count = 0, records = 0, i, sts;
  if (++*(int*)closure > 60 || pmLookupName(1, &name, &pmid) < 0 || IS_DERIVED(pmid) ||
      pmLookupDesc(pmid, &desc) < 0)
    return;
  if (desc.type > PM_TYPE_DOUBLE || desc.type < 0) return;
  if (pmGetArchiveLabel(&label) < 0 || pmSetMode(PM_MODE_FORW, &label.ll_start, 0) < 0) return;
  while ((sts = pmFetch(1, &pmid, &result)) >= 0) {
    ++records;
    for (i = 0; i < result->vset[0]->numval; ++i) {
      pmAtomValue atom;
      if (pmExtractValue(result->vset[0]->valfmt, &result->vset[0]->vlist[i], desc.type, &atom,
                         PM_TYPE_DOUBLE) < 0)
        continue;
      if (count == 0 || atom.d < least) least = atom.d;
      if (count == 0 || atom.d > most) most = atom.d;
      sum += atom.d;
      ++count;
    }
    pmFreeResult(result);
  }
  printf("%s: %d values in %d records", name, count, records);
  if (count)
    printf(", %.10g, %.10g to %.10g %s", sum / count, least, most, pmUnitsStr(&desc.units));
  printf(", %s\n", pmErrStr(sts));
}

int main(int argc, char** argv) {
  int i, done = 0;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) SHOW(pmTraversePMNS_r(argv[i], leaf, &done));
  return 0;
}
