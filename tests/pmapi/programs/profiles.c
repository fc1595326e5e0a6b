/* Profiles of instances, each step with what a fetch then brings. Words are steps:
 * +DOMAIN:1,2 adds, -DOMAIN:1,2 takes away; without numbers all; DOMAIN is the metric's, or "all".
 */
#include "program.h"

static pmID pmid;
static pmDesc desc;

static void fetch(void) {
  pmResult* result;
  int sts = pmFetch(1, &pmid, &result), i;
  if (sts < 0) {
    printf("  pmFetch: %s\n", pmErrStr(sts));
    return;
  }
  pmSortInstances(result);
  printf("  %d:", result->vset[0]->numval);
  for (i = 0; i < result->vset[0]->numval; ++i) printf(" %d", result->vset[0]->vlist[i].inst);
  printf("\n");
  pmFreeResult(result);
}

static void step(const char* word) {
  int ids[20], count = 0;
  const char* at = strchr(word, ':');
  pmInDom indom = strncmp(word + 1, "all", 3) == 0 ? PM_INDOM_NULL : desc.indom;
  if (strncmp(word + 1, "other", 5) == 0) indom = pmInDom_build(29, 4000);
  while (at && count < 20) {
    ids[count++] = atoi(at + 1);
    at = strchr(at + 1, ',');
  }
  printf("%s: %d\n", word,
         *word == '+' ? pmAddProfile(indom, count, count ? ids : NULL)
                      : pmDelProfile(indom, count, count ? ids : NULL));
  fetch();
}

int main(int argc, char** argv) {
  pmLogLabel label;
  int i;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  pmid = metric(argv[3]);
  SHOW(pmLookupDesc(pmid, &desc));
  if (pmGetArchiveLabel(&label) >= 0) SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 5000));
  fetch();
  for (i = 4; i < argc; ++i) step(argv[i]);
  return 0;
}
