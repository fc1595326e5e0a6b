/* A fetch group of whole domains, as several types, with rooms that are too small, until the end.
 */
#include "program.h"

enum { ROOM = 60 };
struct column {
  pmAtomValue values[ROOM];
  int codes[ROOM], statuses[ROOM], status;
  char* names[ROOM];
  unsigned count;
};
static struct column numbers, texts, few, rates;

static void show(const char* what, const struct column* of, int type) {
  unsigned i;
  printf("  %s: %d %u\n", what, of->status, of->count);
  for (i = 0; i < of->count; ++i) {
    printf("    %d %s %d ", of->codes[i], of->names[i] ? of->names[i] : "NULL", of->statuses[i]);
    if (type == PM_TYPE_STRING)
      printf("%s\n", of->values[i].cp ? of->values[i].cp : "NULL");
    else
      printf("%s\n", pmAtomStr(&of->values[i], type));
  }
}

static int extend(pmFG group, const char* name, const char* scale, struct column* to, int type,
                  unsigned room) {
  return pmExtendFetchGroup_indom(group, name, scale, to->codes, to->names, to->values, type,
                                  to->statuses, room, &to->count, &to->status);
}

int main(int argc, char** argv) {
  pmFG group;
  pmLogLabel label;
  struct timeval when = {0, 0};
  int round, sts;
  if (argc < 4) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmCreateFetchGroup(
      &group, strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(extend(group, argv[3], NULL, &numbers, PM_TYPE_64, ROOM));
  SHOW(extend(group, argv[3], "instant", &texts, PM_TYPE_STRING, ROOM));
  SHOW(extend(group, argv[3], NULL, &few, PM_TYPE_DOUBLE, 2));
  SHOW(extend(group, argv[3], "rate", &rates, PM_TYPE_DOUBLE, ROOM));
  SHOW(extend(group, "no.such", NULL, &few, PM_TYPE_DOUBLE, 2));
  SHOW(extend(group, argv[3], "nonsense", &few, PM_TYPE_DOUBLE, 2));
  SHOW(extend(group, argv[3], NULL, &few, PM_TYPE_AGGREGATE, 2));
  SHOW(pmExtendFetchGroup_timestamp(group, &when));
  SHOW(pmUseContext(pmGetFetchGroupContext(group)));
  if (pmGetArchiveLabel(&label) >= 0) {
    SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 60000));
  }
  for (round = 0; round < (argc > 4 ? atoi(argv[4]) : 4); ++round) {
    sts = pmFetchGroup(group);
    printf("%d %ld\n", sts, (long)when.tv_sec);
    show("numbers", &numbers, PM_TYPE_64);
    show("texts", &texts, PM_TYPE_STRING);
    show("few", &few, PM_TYPE_DOUBLE);
    show("rates", &rates, PM_TYPE_DOUBLE);
    if (sts < 0) break;
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
