/* Instances over all of an archive, and at its start, in the middle and at its end. */
#include "program.h"

static void show(const char* what, int count, int* instances, char** names) {
  int i;
  printf("%s: %d %s\n", what, count, count < 0 ? pmErrStr(count) : "");
  for (i = 0; i < count; ++i) printf("  %d <%s>\n", instances[i], names[i]);
  if (count > 0) {
    free(instances);
    free(names);
  }
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval end, when;
  pmDesc desc;
  int i, part, count, *instances;
  char **names, *name;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmGetArchiveEnd(&end));
  for (i = 3; i < argc; ++i) {
    if (pmLookupDesc(metric(argv[i]), &desc) < 0 || desc.indom == PM_INDOM_NULL) continue;
    printf("--- %s\n", argv[i]);
    count = pmGetInDomArchive(desc.indom, &instances, &names);
    show("ever", count, instances, names);
    for (part = 0; part <= 2; ++part) {
      when = label.ll_start;
      when.tv_sec += part * (end.tv_sec - when.tv_sec) / 2;
      SHOW(pmSetMode(PM_MODE_INTERP, &when, 1000));
      count = pmGetInDom(desc.indom, &instances, &names);
      show("now", count, instances, names);
      for (count = -1; count < 4; ++count) {
        const int now = pmNameInDom(desc.indom, count, &name);
        printf("%d is %s", count, now < 0 ? pmErrStr(now) : name);
        if (now >= 0) free(name);
        const int ever = pmNameInDomArchive(desc.indom, count, &name);
        printf(", was %s\n", ever < 0 ? pmErrStr(ever) : name);
        if (ever >= 0) {
          printf("  %d %d\n", pmLookupInDom(desc.indom, name),
                 pmLookupInDomArchive(desc.indom, name));
          free(name);
        }
      }
    }
    SHOW(pmLookupInDom(desc.indom, ""));
    SHOW(pmLookupInDomArchive(desc.indom, "no such instance"));
  }
  return 0;
}
