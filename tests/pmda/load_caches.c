/* Caches that PCP's library has written are loaded: what is in them, and what is saved again. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>

int main(void) {
  int serial, inst;
  char* name;
  for (serial = 7; serial <= 9; serial++) {
    const pmInDom indom = pmInDom_build(249, (unsigned)serial);
    if (serial == 9) pmdaCacheOp(indom, PMDA_CACHE_STRINGS);
    printf("%s loaded %d", pmInDomStr(indom), pmdaCacheOp(indom, PMDA_CACHE_LOAD));
    printf(" size %d", pmdaCacheOp(indom, PMDA_CACHE_SIZE));
    printf(" active %d\n", pmdaCacheOp(indom, PMDA_CACHE_SIZE_ACTIVE));
    printf("  saved %d\n", pmdaCacheOp(indom, PMDA_CACHE_SAVE));
    pmdaCacheOp(indom, PMDA_CACHE_ACTIVE);
    pmdaCacheOp(indom, PMDA_CACHE_WALK_REWIND);
    while ((inst = pmdaCacheOp(indom, PMDA_CACHE_WALK_NEXT)) >= 0) {
      pmdaCacheLookup(indom, inst, &name, NULL);
      printf("  %d \"%s\"\n", inst, name);
    }
    printf("  again %d\n", pmdaCacheOp(indom, PMDA_CACHE_LOAD));
  }
  return 0;
}
