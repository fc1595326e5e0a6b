/* What pmExtendFetchGroup_event() says of each metric × instance × field × type × scale. */
#include "program.h"

static const char* const kMetrics[] = {"hinv.ncpu",
                                       "sample.long.one",
                                       "kernel.all.load",
                                       "kernel.uname.release",
                                       "sample.event.records",
                                       "sample.event.no_indom_records",
                                       "sample.event.type",
                                       "no.such"};
static const char* const kInstances[] = {NULL, "1 minute", "fungus", "nope", ""};
static const char* const kFields[] = {"sample.event.type", "hinv.ncpu", "no.such",
                                      "kernel.all.load", "sample.event.records"};
static const char* const kScales[] = {NULL, "rate", "instant", "bogus"};
static const int kTypes[] = {PM_TYPE_DOUBLE, PM_TYPE_STRING, 99};

#define EACH(i, list) for (i = 0; i < sizeof(list) / sizeof(*(list)); ++i)

static void extend(pmFG group, const char* metric, const char* instance) {
  size_t field, scale, type;
  unsigned count;
  int status;
  EACH(field, kFields) {
    printf("%s %s %s:", metric, instance ? instance : "-", kFields[field]);
    EACH(scale, kScales)
    EACH(type, kTypes)
    printf(" %d", pmExtendFetchGroup_event(group, metric, instance, kFields[field], kScales[scale],
                                           NULL, NULL, kTypes[type], NULL, 0, &count, &status));
    printf("\n");
  }
}

int main(int argc, char** argv) {
  pmFG group;
  size_t metric, instance;
  const int host = argc > 1 && strcmp(argv[1], "host") == 0;
  if (argc < 3) return 1;
  SHOW(pmCreateFetchGroup(&group, host ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  EACH(metric, kMetrics)
  EACH(instance, kInstances)
  extend(group, kMetrics[metric], kInstances[instance]);
  return 0;
}
