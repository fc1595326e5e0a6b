/* A fetch group with one metric as every type, with every scale. Words behind the metric: scales.
 */
#include "program.h"

enum { TYPES = 9, ROOM = 200 };
static pmAtomValue values[ROOM];
static int statuses[ROOM], types[ROOM], count;
static const char* scales[ROOM];

static void add(pmFG group, const char* name, const char* instance, const char* scale) {
  int type;
  for (type = PM_TYPE_32; type < TYPES && count < ROOM; ++type) {
    int sts = pmExtendFetchGroup_item(group, name, instance, scale, &values[count], type,
                                      &statuses[count]);
    printf("%s %s: %d%s%s\n", scale ? scale : "none", pmTypeStr(type), sts, sts < 0 ? " " : "",
           sts < 0 ? pmErrStr(sts) : "");
    if (sts < 0) continue;
    scales[count] = scale;
    types[count++] = type;
  }
}

static void show(int i) {
  printf("  %s %s: %d ", scales[i] ? scales[i] : "none", pmTypeStr(types[i]), statuses[i]);
  switch (types[i]) {
    case PM_TYPE_FLOAT: printf("%.7g\n", values[i].f); break;
    case PM_TYPE_DOUBLE: printf("%.15g\n", values[i].d); break;
    case PM_TYPE_STRING: printf("%s\n", values[i].cp ? values[i].cp : "NULL"); break;
    case PM_TYPE_AGGREGATE: printf("\n"); break;
    default: printf("%s\n", pmAtomStr(&values[i], types[i]));
  }
}

int main(int argc, char** argv) {
  pmFG group;
  pmLogLabel label;
  struct timeval when;
  struct timespec fine;
  const char* instance;
  int i, round;
  if (argc < 5) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  instance = strcmp(argv[4], "-") == 0 ? NULL : argv[4];
  SHOW(pmCreateFetchGroup(
      &group, strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  add(group, argv[3], instance, NULL);
  for (i = 5; i < argc; ++i) add(group, argv[3], instance, argv[i]);
  SHOW(pmExtendFetchGroup_timestamp(group, &when));
  SHOW(pmExtendFetchGroup_timestamp(group, NULL));
  SHOW(pmUseContext(pmGetFetchGroupContext(group)));
  if (pmGetArchiveLabel(&label) >= 0) {
    label.ll_start.tv_sec += 120;
    SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 30000));
  }
  for (round = 0; round < 3; ++round) {
    SHOW(pmFetchGroup(group));
    printf("%d\n", when.tv_sec > 0);
    for (i = 0; i < count; ++i) show(i);
  }
  fine.tv_sec = 0;
  (void)fine;
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
