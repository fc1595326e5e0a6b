/* Contexts of several archives in turns: each keeps its place, its mode and its profile. */
#include "program.h"

static void step(int context, const char* name) {
  pmID pmid;
  pmResult* result;
  int sts = pmUseContext(context);
  printf("-- %d %d\n", pmWhichContext() == context, sts);
  pmid = metric(name);
  if ((sts = pmFetch(1, &pmid, &result)) < 0) {
    printf("%s\n", pmErrStr(sts));
    return;
  }
  show_result(result);
  pmFreeResult(result);
}

int main(int argc, char** argv) {
  int contexts[3], i, round;
  struct timeval end;
  pmLogLabel label;
  pmDesc desc;
  if (argc < 5 || open_context(argc, argv) < 0) return 1;
  contexts[0] = pmWhichContext();
  contexts[1] = pmNewContext(PM_CONTEXT_ARCHIVE, argv[3]);
  SHOW(pmGetArchiveEnd(&end));
  SHOW(pmSetMode(PM_MODE_BACK, &end, 0));
  SHOW(pmUseContext(contexts[0]));
  contexts[2] = pmDupContext();
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 7500));
  if (pmLookupDesc(metric(argv[4]), &desc) >= 0 && desc.indom != PM_INDOM_NULL) {
    int* instances;
    char** names;
    const int count = pmGetInDomArchive(desc.indom, &instances, &names);
    if (count > 0) {
      SHOW(pmDelProfile(desc.indom, 0, NULL));
      SHOW(pmAddProfile(desc.indom, 1, instances));
      free(instances);
      free(names);
    }
  }
  for (round = 0; round < 4; ++round)
    for (i = 0; i < 3; ++i) step(contexts[i], argv[4]);
  SHOW(pmDestroyContext(contexts[0]));
  step(contexts[2], argv[4]);
  step(contexts[0], argv[4]);
  SHOW(pmReconnectContext(contexts[1]));
  printf("<%s> <%s>\n", pmGetContextHostName(contexts[1]), pmGetContextHostName(contexts[0]));
  return 0;
}
