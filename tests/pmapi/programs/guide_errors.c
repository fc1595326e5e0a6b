/* The Guide's way with errors: each call has its message, the first that fails ends the program. */
#include "program.h"

static int fails(int sts, const char* doing, const char* host, const char* name) {
  if (sts >= 0) return 0;
  fprintf(stderr, "Error %s %s:%s: %s\n", doing, host, name, pmErrStr(sts));
  return 1;
}

int main(int argc, char** argv) {
  const char* host = argc > 1 ? argv[1] : "local:";
  const char* name = argc > 2 ? argv[2] : "mem.freemem";
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  pmValueSet* set;
  if (fails(pmNewContext(PM_CONTEXT_HOST, host), "connecting to", host, "")) return 1;
  if (fails(pmLookupName(1, &name, &pmid), "looking up", host, name)) return 1;
  if (fails(pmLookupDesc(pmid, &desc), "getting descriptor for", host, name)) return 1;
  if (fails(pmFetch(1, &pmid, &result), "fetching", host, name)) return 1;
  set = result->vset[0];
  if (fails(set->numval, "fetching", host, name)) return 1;
  fprintf(stdout, "%s:%s = ", host, name);
  if (set->numval == 0) {
    puts("(no value)");
  } else {
    pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[0], 5);
    printf(" %s\n", pmUnitsStr(&desc.units));
  }
  return 0;
}
