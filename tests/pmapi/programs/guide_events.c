/* Event records of an archive or a host, as the Guide unpacks them: flags, missed ones, parameters.
 */
#include "program.h"

enum { FLAGS, MISSED };
static const char* own_names[] = {"event.flags", "event.missed"};
static pmID own[2];

static void parameter(const pmValueSet* set) {
  pmDesc desc;
  char* name;
  int sts, i;
  if ((sts = pmLookupDesc(set->pmid, &desc)) < 0) {
    printf("    %s: pmLookupDesc: %s\n", pmIDStr(set->pmid), pmErrStr(sts));
    return;
  }
  if ((sts = pmNameID(set->pmid, &name)) < 0) {
    printf("    %s: pmNameID: %s\n", pmIDStr(set->pmid), pmErrStr(sts));
    return;
  }
  printf("    parameter %s", name);
  free(name);
  for (i = 0; i < set->numval; ++i) {
    if (set->numval > 1) printf("[%d]", set->vlist[i].inst);
    putchar(' ');
    pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[i], 1);
  }
  putchar('\n');
}

static void sets(int count, pmValueSet** all) {
  int i;
  if (count == 0) printf(" ==> no parameters\n");
  for (i = 0; i < count; ++i) {
    const pmValueSet* set = all[i];
    if (set->numval < 0)
      printf("%s: %s\n", pmIDStr(set->pmid), pmErrStr(set->numval));
    else if (set->pmid == own[FLAGS])
      printf(" flags 0x%x (%s)\n", set->vlist[0].value.lval,
             pmEventFlagsStr(set->vlist[0].value.lval));
    else if (set->pmid == own[MISSED])
      printf(" ==> %d missed\n", set->vlist[0].value.lval);
    else
      parameter(set);
  }
}

static void unpack(pmValueSet* set, int which, int type) {
  pmResult** coarse = NULL;
  pmHighResResult** fine = NULL;
  int i, count = type == PM_TYPE_EVENT ? pmUnpackEventRecords(set, which, &coarse)
                                       : pmUnpackHighResEventRecords(set, which, &fine);
  printf(" inst %d: %d records%s%s\n", set->vlist[which].inst, count, count < 0 ? " " : "",
         count < 0 ? pmErrStr(count) : "");
  SHOW(pmLookupName(2, own_names, own));
  for (i = 0; i < count; ++i) {
    if (coarse) {
      pmPrintStamp(stdout, &coarse[i]->timestamp);
      sets(coarse[i]->numpmid, coarse[i]->vset);
    } else {
      pmPrintHighResStamp(stdout, &fine[i]->timestamp);
      sets(fine[i]->numpmid, fine[i]->vset);
    }
  }
  if (coarse) pmFreeEventResult(coarse);
  if (fine) pmFreeHighResEventResult(fine);
}

int main(int argc, char** argv) {
  pmResult* result;
  pmID pmid;
  pmDesc desc;
  int i, k, sts;
  if (open_context(argc, argv) < 0 || argc < 4) return 1;
  SHOW(pmNewZone("UTC"));
  pmid = metric(argv[3]);
  SHOW(pmLookupDesc(pmid, &desc));
  pmPrintDesc(stdout, &desc);
  for (i = 0; i < 4; ++i) {
    if ((sts = pmFetch(1, &pmid, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      break;
    }
    printf("%d values\n", result->vset[0]->numval);
    for (k = 0; k < result->vset[0]->numval; ++k) {
      unpack(result->vset[0], k, desc.type);
      /* The other function for this type is refused. */
      if (i == 0) {
        pmResult** wrong;
        pmHighResResult** other;
        SHOW(desc.type == PM_TYPE_EVENT ? pmUnpackHighResEventRecords(result->vset[0], k, &other)
                                        : pmUnpackEventRecords(result->vset[0], k, &wrong));
      }
    }
    pmFreeResult(result);
  }
  return 0;
}
