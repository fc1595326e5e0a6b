/* Results that the program builds itself: sorted, printed, freed; copies of fetched values. */
#include "program.h"

static pmValueSet* set_of(pmID pmid, int count, int valfmt) {
  pmValueSet* set = calloc(1, sizeof *set + (size_t)(count > 1 ? count - 1 : 0) * sizeof(pmValue));
  set->pmid = pmid;
  set->numval = count;
  set->valfmt = valfmt;
  return set;
}

static pmResult* build(void) {
  pmResult* result = calloc(1, sizeof *result + 3 * sizeof(pmValueSet*));
  int i;
  result->numpmid = 4;
  result->timestamp.tv_sec = 1000;
  result->vset[0] = set_of(pmID_build(1, 2, 3), 5, PM_VAL_INSITU);
  for (i = 0; i < 5; ++i) {
    result->vset[0]->vlist[i].inst = (i * 7) % 5;
    result->vset[0]->vlist[i].value.lval = 100 + i;
  }
  result->vset[1] = set_of(pmID_build(1, 2, 4), 2, PM_VAL_DPTR);
  for (i = 0; i < 2; ++i) {
    pmValueBlock* block = calloc(1, 16);
    block->vtype = PM_TYPE_STRING;
    block->vlen = PM_VAL_HDR_SIZE + 4;
    memcpy(block->vbuf, i ? "one" : "two", 4);
    result->vset[1]->vlist[i].inst = 10 - i;
    result->vset[1]->vlist[i].value.pval = block;
  }
  result->vset[2] = set_of(pmID_build(1, 2, 5), 0, PM_VAL_INSITU);
  result->vset[3] = set_of(pmID_build(1, 2, 6), PM_ERR_VALUE, PM_VAL_INSITU);
  return result;
}

static void print(const pmResult* result) {
  int i, k;
  for (i = 0; i < result->numpmid; ++i) {
    printf("%s %d:", pmIDStr(result->vset[i]->pmid), result->vset[i]->numval);
    for (k = 0; k < result->vset[i]->numval; ++k) {
      printf(" %d=", result->vset[i]->vlist[k].inst);
      pmPrintValue(stdout, result->vset[i]->valfmt, i ? PM_TYPE_STRING : PM_TYPE_32,
                   &result->vset[i]->vlist[k], 1);
    }
    printf("\n");
  }
}

int main(int argc, char** argv) {
  pmResult* result = build();
  pmHighResResult* fine = calloc(1, sizeof *fine);
  print(result);
  pmSortInstances(result);
  print(result);
  pmFreeResult(result);
  fine->numpmid = 1;
  fine->vset[0] = set_of(pmID_build(1, 2, 3), 2, PM_VAL_INSITU);
  fine->vset[0]->vlist[0].inst = 9;
  fine->vset[0]->vlist[1].inst = 4;
  pmSortHighResInstances(fine);
  printf("%d %d\n", fine->vset[0]->vlist[0].inst, fine->vset[0]->vlist[1].inst);
  pmFreeHighResResult(fine);
  /* A fetched one with a set of ours in place of one of its own. */
  if (argc > 3 && open_context(argc, argv) >= 0) {
    pmID pmid = metric(argv[3]);
    if (pmFetch(1, &pmid, &result) >= 0) {
      show_result(result);
      pmFreeResult(result);
    }
  }
  return 0;
}
