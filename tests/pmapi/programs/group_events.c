/* A fetch group of the fields of event records. Words: a metric, an instance or -, fields. */
#include "program.h"

enum { ROOM = 50, FIELDS = 5 };
struct field {
  pmAtomValue values[ROOM];
  struct timespec times[ROOM];
  int statuses[ROOM], status;
  unsigned count;
};
static struct field fields[FIELDS];

int main(int argc, char** argv) {
  pmFG group;
  int i, round, count = 0;
  unsigned k;
  if (argc < 6) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmCreateFetchGroup(
      &group, strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  for (i = 5; i < argc && count < FIELDS; ++i, ++count) {
    struct field* to = &fields[count];
    int sts = pmExtendFetchGroup_event(group, argv[3], strcmp(argv[4], "-") ? argv[4] : NULL,
                                       argv[i], NULL, to->times, to->values, PM_TYPE_STRING,
                                       to->statuses, ROOM, &to->count, &to->status);
    printf("%s: %d%s%s\n", argv[i], sts, sts < 0 ? " " : "", sts < 0 ? pmErrStr(sts) : "");
  }
  for (round = 0; round < 3; ++round) {
    SHOW(pmFetchGroup(group));
    for (i = 0; i < count; ++i) {
      printf("  field %d: %d %u\n", i, fields[i].status, fields[i].count);
      for (k = 0; k < fields[i].count; ++k)
        printf("    %ld.%09ld %d %s\n", (long)fields[i].times[k].tv_sec, fields[i].times[k].tv_nsec,
               fields[i].statuses[k], fields[i].values[k].cp ? fields[i].values[k].cp : "NULL");
    }
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
