/* What the programs of this folder share: a context from the command line, results as text.
 *
 *   PROGRAM archive NAME METRIC…      PROGRAM host NAME METRIC…      PROGRAM none
 */
#ifndef PMJIT_TESTS_PMAPI_PROGRAM_H
#define PMJIT_TESTS_PMAPI_PROGRAM_H

#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The call as it stands, and what it returned. */
#define SHOW(call)                                                                             \
  do {                                                                                         \
    int sts_ = (call);                                                                         \
    printf("%s = %d%s%s\n", #call, sts_, sts_ < 0 ? " " : "", sts_ < 0 ? pmErrStr(sts_) : ""); \
  } while (0)

static inline int open_context(int argc, char** argv) {
  int sts = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  if (argc < 3 || strcmp(argv[1], "none") == 0) return 0;
  sts = pmNewContext(strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]);
  if (sts < 0) printf("pmNewContext: %s\n", pmErrStr(sts));
  return sts;
}

/* The metric of a name; PM_ID_NULL where there is none. */
static inline pmID metric(const char* name) {
  pmID pmid = PM_ID_NULL;
  int sts = pmLookupName(1, &name, &pmid);
  if (sts < 0) printf("pmLookupName %s: %s\n", name, pmErrStr(sts));
  return pmid;
}

static inline void show_result(const pmResult* result) {
  int i, k;
  printf("%ld.%06ld %d sets\n", (long)result->timestamp.tv_sec, (long)result->timestamp.tv_usec,
         result->numpmid);
  for (i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    printf("  %s numval %d%s%s", pmIDStr(set->pmid), set->numval, set->numval < 0 ? " " : "",
           set->numval < 0 ? pmErrStr(set->numval) : "");
    if (set->numval > 0) printf(" valfmt %d", set->valfmt);
    for (k = 0; k < set->numval; ++k) {
      pmDesc desc;
      printf(" [%d] ", set->vlist[k].inst);
      if (pmLookupDesc(set->pmid, &desc) < 0) desc.type = PM_TYPE_UNKNOWN;
      pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[k], 1);
    }
    printf("\n");
  }
}

#endif
