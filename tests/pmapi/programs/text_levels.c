/* Help texts with every combination of the bits that say which. */
#include "program.h"

static void show(const char* what, int level, int sts, char* found) {
  printf("%s %d: %s\n", what, level, sts < 0 ? pmErrStr(sts) : found);
  if (sts >= 0) free(found);
}

int main(int argc, char** argv) {
  char* found = NULL;
  pmDesc desc;
  int i, level;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    if (pmLookupDesc(metric(argv[i]), &desc) < 0) continue;
    printf("--- %s\n", argv[i]);
    for (level = -1; level < 64; ++level) {
      show("metric", level, pmLookupText(desc.pmid, level, &found), found);
      if (desc.indom != PM_INDOM_NULL)
        show("domain", level, pmLookupInDomText(desc.indom, level, &found), found);
    }
  }
  return 0;
}
