/* Event records of a source as a log: flags, parameters with names and units, in both resolutions,
 * and the same value unpacked twice. */
#include "program.h"

static void put_parameter(const pmValueSet* set) {
  char *name = NULL, *known;
  pmDesc desc;
  int k, sts;
  if ((sts = pmNameID(set->pmid, &name)) < 0) name = NULL;
  printf("    %s (%s)", name ? name : pmErrStr(sts), pmIDStr(set->pmid));
  free(name);
  if (set->numval < 0) printf(" %s", pmErrStr(set->numval));
  if ((sts = pmLookupDesc(set->pmid, &desc)) < 0) {
    printf(" no descriptor: %s, %d values of %d\n", pmErrStr(sts), set->numval, set->valfmt);
    return;
  }
  for (k = 0; k < set->numval; ++k) {
    putchar(' ');
    if (desc.indom != PM_INDOM_NULL && pmNameInDom(desc.indom, set->vlist[k].inst, &known) >= 0) {
      printf("[%s] ", known);
      free(known);
    }
    pmPrintValue(stdout, set->valfmt, desc.type, &set->vlist[k], 1);
  }
  printf(" %s\n", pmUnitsStr(&desc.units));
}

static void put_flags(const pmValueSet* set) {
  char room[100];
  int flags = set->vlist[0].value.lval;
  printf(" flags %x <%s>", (unsigned)flags, pmEventFlagsStr(flags));
  printf(" <%s>\n", pmEventFlagsStr_r(flags, room, sizeof room));
}

static void put_records(pmValueSet* set, int at) {
  pmResult** records;
  int i, k, sts = pmUnpackEventRecords(set, at, &records);
  printf("  %d records%s%s\n", sts, sts < 0 ? ": " : "", sts < 0 ? pmErrStr(sts) : "");
  if (sts < 0) return;
  for (i = 0; i < sts; ++i) {
    printf("   %ld.%06ld %d", (long)records[i]->timestamp.tv_sec,
           (long)records[i]->timestamp.tv_usec, records[i]->numpmid);
    for (k = 0; k < records[i]->numpmid; ++k)
      if (k == 0)
        put_flags(records[i]->vset[k]);
      else
        put_parameter(records[i]->vset[k]);
    if (records[i]->numpmid == 0) printf("\n");
  }
  printf("  end %p\n", (void*)records[sts]);
  pmFreeEventResult(records);
}

static void put_fine_records(pmValueSet* set, int at) {
  pmHighResResult** records;
  int i, k, sts = pmUnpackHighResEventRecords(set, at, &records);
  printf("  %d fine records%s%s\n", sts, sts < 0 ? ": " : "", sts < 0 ? pmErrStr(sts) : "");
  if (sts < 0) return;
  for (i = 0; i < sts; ++i) {
    printf("   %ld.%09ld %d\n", (long)records[i]->timestamp.tv_sec,
           (long)records[i]->timestamp.tv_nsec, records[i]->numpmid);
    for (k = 1; k < records[i]->numpmid; ++k) put_parameter(records[i]->vset[k]);
  }
  pmFreeHighResEventResult(records);
}

static void put_set(pmValueSet* set, int type) {
  int k;
  printf("%s %s %d\n", pmIDStr(set->pmid), pmTypeStr(type), set->numval);
  for (k = 0; k < set->numval; ++k) {
    if (type != PM_TYPE_HIGHRES_EVENT) put_records(set, k);
    if (type != PM_TYPE_EVENT) put_fine_records(set, k);
    if (type == PM_TYPE_EVENT) put_records(set, k);
  }
}

int main(int argc, char** argv) {
  pmResult* result;
  pmDesc descs[10];
  pmID pmids[10];
  pmLogLabel label;
  int i, sts, rounds, count = 0, live;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc && count < 10; ++i) {
    pmids[count] = metric(argv[i]);
    if (pmids[count] != PM_ID_NULL && pmLookupDesc(pmids[count], &descs[count]) >= 0) ++count;
  }
  live = pmGetArchiveLabel(&label) < 0;
  if (!live) SHOW(pmSetMode(PM_MODE_FORW, &label.ll_start, 0));
  for (rounds = 0; rounds < (live ? 2 : 20); ++rounds) {
    if ((sts = pmFetch(count, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      break;
    }
    for (i = 0; i < result->numpmid; ++i) put_set(result->vset[i], descs[i].type);
    pmFreeResult(result);
  }
  return 0;
}
