/* All descriptors below some names, one by one and in one call, with what their domains share. */
#include "program.h"

enum { ROOM = 3000 };
static const char* names[ROOM];
static pmID pmids[ROOM];
static pmDesc descs[ROOM];
static int count;

static void leaf(const char* name) {
  if (count < ROOM) names[count++] = strdup(name);
}

int main(int argc, char** argv) {
  int i, k, sts, same = 0, domains = 0;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) SHOW(pmTraversePMNS(argv[i], leaf));
  SHOW(pmLookupName(count, names, pmids));
  SHOW(pmLookupDescs(count, pmids, descs));
  for (i = 0; i < count; ++i) {
    pmDesc one;
    sts = pmLookupDesc(pmids[i], &one);
    same += sts >= 0 && memcmp(&one, &descs[i], sizeof one) == 0;
    for (k = 0; k < i && descs[k].indom != descs[i].indom; ++k) continue;
    domains += k == i;
    printf("%s %s %s %s %s <%s>\n", names[i], pmIDStr(pmids[i]), pmTypeStr(descs[i].type),
           pmInDomStr(descs[i].indom), pmSemStr(descs[i].sem), pmUnitsStr(&descs[i].units));
    if (i < 10) pmPrintDesc(stdout, &descs[i]);
  }
  printf("%d metrics, %d the same, %d domains\n", count, same, domains);
  if (count == 0) return 1;
  pmids[0] = pmID_build(300, 1, 1);
  SHOW(pmLookupDescs(count > 2 ? 2 : count, pmids, descs));
  printf("%s\n", pmIDStr(descs[0].pmid));
  SHOW(pmLookupDescs(1, pmids, descs));
  return 0;
}
