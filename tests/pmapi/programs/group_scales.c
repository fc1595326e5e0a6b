/* A fetch group over an archive: one metric in many units and types, rates, a derived metric. */
#include "program.h"

static const char* const scales[] = {NULL,        "",  "instant",    "rate",       "kbyte",
                                     "count/min", "s", "mbyte/hour", "10 count/s", "nonsense"};
enum { kScales = sizeof scales / sizeof scales[0], kTypes = 7 };

int main(int argc, char** argv) {
  static pmAtomValue values[4][kScales][kTypes];
  static int codes[4][kScales][kTypes];
  pmFG group;
  struct timeval when = {0, 0};
  int i, k, type, round;
  if (argc < 4) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmExtendFetchGroup_timestamp(group, &when));
  for (i = 3; i < argc && i < 7; ++i)
    for (k = 0; k < kScales; ++k)
      for (type = 0; type < kTypes; ++type) {
        const int sts = pmExtendFetchGroup_item(
            group, argv[i], NULL, scales[k], &values[i - 3][k][type], type, &codes[i - 3][k][type]);
        if (sts < 0)
          printf("%s <%s> %d: %s\n", argv[i], scales[k] ? scales[k] : "-", type, pmErrStr(sts));
      }
  for (round = 0; round < 3; ++round) {
    const int sts = pmFetchGroup(group);
    printf("== %d at %ld.%06ld\n", sts, (long)when.tv_sec, (long)when.tv_usec);
    for (i = 3; i < argc && i < 7; ++i)
      for (k = 0; k < kScales; ++k)
        for (type = 0; type < kTypes; ++type) {
          if (codes[i - 3][k][type] < 0)
            printf("%d.%d.%d %s\n", i, k, type, pmErrStr(codes[i - 3][k][type]));
          else if (type != PM_TYPE_STRING || values[i - 3][k][type].cp != NULL)
            printf("%d.%d.%d %s\n", i, k, type, pmAtomStr(&values[i - 3][k][type], type));
        }
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
