/* A client that changes metrics: what a value is, a new one, what it is then, back again. */
#include "program.h"

static int get(pmID pmid, pmResult** result) {
  int sts = pmFetch(1, &pmid, result);
  if (sts < 0) printf("  pmFetch: %s\n", pmErrStr(sts));
  return sts;
}

static void put(const char* what, const pmDesc* desc, const pmResult* result) {
  const pmValueSet* set = result->vset[0];
  int k;
  printf("  %s %d:", what, set->numval);
  for (k = 0; k < set->numval; ++k) {
    printf(" %d=", set->vlist[k].inst);
    pmPrintValue(stdout, set->valfmt, desc->type, &set->vlist[k], 1);
  }
  printf("\n");
}

/* A result of one's own with one value as text says it. */
static pmResult* one_value(const pmDesc* desc, int inst, const char* text) {
  pmResult* result = calloc(1, sizeof *result);
  pmValueSet* set = calloc(1, sizeof *set);
  pmValueBlock* block;
  size_t size = 8;
  result->numpmid = 1;
  result->vset[0] = set;
  set->pmid = desc->pmid;
  set->numval = 1;
  set->vlist[0].inst = inst;
  if (desc->type == PM_TYPE_32 || desc->type == PM_TYPE_U32) {
    set->valfmt = PM_VAL_INSITU;
    set->vlist[0].value.lval = (int)strtoll(text, NULL, 0);
    return result;
  }
  if (desc->type == PM_TYPE_STRING || desc->type == PM_TYPE_AGGREGATE) size = strlen(text) + 1;
  if (desc->type == PM_TYPE_FLOAT) size = sizeof(float);
  block = calloc(1, PM_VAL_HDR_SIZE + size);
  block->vlen = (unsigned)(PM_VAL_HDR_SIZE + size);
  block->vtype = (unsigned)desc->type;
  if (desc->type == PM_TYPE_FLOAT)
    *(float*)block->vbuf = strtof(text, NULL);
  else if (desc->type == PM_TYPE_DOUBLE)
    memcpy(block->vbuf, &(double){strtod(text, NULL)}, 8);
  else if (desc->type == PM_TYPE_64 || desc->type == PM_TYPE_U64)
    memcpy(block->vbuf, &(long long){strtoll(text, NULL, 0)}, 8);
  else
    memcpy(block->vbuf, text, size);
  set->valfmt = PM_VAL_DPTR;
  set->vlist[0].value.pval = block;
  return result;
}

static void change(const char* name, const char* text) {
  pmResult *before, *now, *ours;
  pmID pmid = metric(name);
  pmDesc desc;
  int sts;
  printf("%s %s\n", name, text);
  if (pmid == PM_ID_NULL) return;
  if ((sts = pmLookupDesc(pmid, &desc)) < 0) {
    printf("  pmLookupDesc: %s\n", pmErrStr(sts));
    return;
  }
  if (get(pmid, &before) < 0) return;
  put("was", &desc, before);
  ours = one_value(&desc, before->vset[0]->numval > 0 ? before->vset[0]->vlist[0].inst : PM_IN_NULL,
                   text);
  sts = pmStore(ours);
  printf("  pmStore: %d %s\n", sts, sts < 0 ? pmErrStr(sts) : "");
  if (get(pmid, &now) >= 0) {
    put("is", &desc, now);
    pmFreeResult(now);
  }
  if (before->vset[0]->numval > 0) {
    sts = pmStore(before);
    printf("  back: %d %s\n", sts, sts < 0 ? pmErrStr(sts) : "");
  }
  if (get(pmid, &now) >= 0) {
    put("again", &desc, now);
    pmFreeResult(now);
  }
  pmFreeResult(before);
  pmFreeResult(ours);
}

int main(int argc, char** argv) {
  pmResult empty = {.numpmid = 0};
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i + 1 < argc; i += 2) change(argv[i], argv[i + 1]);
  SHOW(pmStore(&empty));
  return 0;
}
