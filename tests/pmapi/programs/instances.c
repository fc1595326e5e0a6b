/* Domains of instances: now, and in an archive at its start, in its middle and as a whole. */
#include "program.h"

static void list(const char* what, int count, int* ids, char** names) {
  int i;
  printf("%s: %d%s%s\n", what, count, count < 0 ? " " : "", count < 0 ? pmErrStr(count) : "");
  for (i = 0; i < count; ++i) printf("  %d \"%s\"\n", ids[i], names[i]);
  if (count > 0) {
    free(ids);
    free(names);
  }
}

static void look_up(pmInDom indom) {
  int *ids = NULL, count, i;
  char **names = NULL, *name, first[200];
  count = pmGetInDom(indom, &ids, &names);
  list("now", count, ids, names);
  count = pmGetInDom(indom, &ids, &names);
  for (i = 0; i < count && i < 5; ++i) {
    SHOW(pmLookupInDom(indom, names[i]));
    pmsprintf(first, sizeof first, "%s", names[i]);
    first[strcspn(first, " ")] = '\0';
    SHOW(pmLookupInDom(indom, first));
    pmstrncat(first, sizeof first, "zz");
    SHOW(pmLookupInDom(indom, first));
    if (pmNameInDom(indom, ids[i], &name) >= 0) {
      printf("%s\n", name);
      free(name);
    }
  }
  if (count > 0) {
    free(ids);
    free(names);
  }
  SHOW(pmLookupInDom(indom, ""));
  SHOW(pmLookupInDom(indom, "no such instance"));
  SHOW(pmNameInDom(indom, -2, &name));
  SHOW(pmNameInDom(indom, 123456789, &name));
}

static void whole(pmInDom indom) {
  int *ids = NULL, count, i;
  char **names = NULL, *name;
  count = pmGetInDomArchive(indom, &ids, &names);
  printf("of the archive: %d\n", count);
  for (i = 0; i < count; ++i) {
    printf("  %d \"%s\" %d", ids[i], names[i], pmLookupInDomArchive(indom, names[i]));
    if (pmNameInDomArchive(indom, ids[i], &name) >= 0) {
      printf(" %s", name);
      free(name);
    }
    printf("\n");
  }
  if (count > 0) {
    free(ids);
    free(names);
  }
  SHOW(pmLookupInDomArchive(indom, "no such instance"));
  SHOW(pmNameInDomArchive(indom, 123456789, &name));
}

int main(int argc, char** argv) {
  pmDesc desc;
  pmLogLabel label;
  struct timeval end, middle;
  pmID pmid;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    printf("%s\n", argv[i]);
    pmid = metric(argv[i]);
    SHOW(pmLookupDesc(pmid, &desc));
    look_up(desc.indom);
    whole(desc.indom);
    if (pmGetArchiveLabel(&label) < 0) continue;
    SHOW(pmGetArchiveEnd(&end));
    middle = label.ll_start;
    middle.tv_sec += (end.tv_sec - middle.tv_sec) / 2;
    SHOW(pmSetMode(PM_MODE_FORW, &middle, 0));
    look_up(desc.indom);
    SHOW(pmSetMode(PM_MODE_BACK, &end, 0));
    look_up(desc.indom);
    SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 1000));
    look_up(desc.indom);
  }
  return 0;
}
