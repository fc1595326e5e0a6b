/* Metrics as users name them: a first word says the source: host, archive or local. */
#include "program.h"

int main(int argc, char** argv) {
  int kind = argc > 1 && strcmp(argv[1], "archive") == 0 ? 1
             : argc > 1 && strcmp(argv[1], "local") == 0 ? 2
                                                         : 0;
  char source[] = "there";
  int i, k;
  for (i = 2; i < argc; ++i) {
    pmMetricSpec* spec = NULL;
    char* message = NULL;
    int sts = pmParseMetricSpec(argv[i], kind, source, &spec, &message);
    if (sts < 0) {
      printf("<%s> %d\n%s", argv[i], sts, message ? message : "none");
      free(message);
      continue;
    }
    printf("<%s> %d: %d <%s> <%s> %d", argv[i], sts, spec->isarch, spec->source, spec->metric,
           spec->ninst);
    for (k = 0; k < spec->ninst; ++k) printf(" <%s>", spec->inst[k]);
    printf("\n");
    pmFreeMetricSpec(spec);
  }
  return 0;
}
