/* Values that go to an agent: of each type, of instances, several metrics at once, wrong ones. */
#include "program.h"

static void show_metric(const char* name) {
  pmID pmid = metric(name);
  pmResult* result;
  if (pmFetch(1, &pmid, &result) < 0) return;
  pmSortInstances(result);
  result->timestamp.tv_sec = result->timestamp.tv_usec = 0;
  printf("%s ", name);
  show_result(result);
  pmFreeResult(result);
}

/* What was fetched goes back with another number. */
static void back(const char* name, int number) {
  pmID pmid = metric(name);
  pmResult* result;
  int i, sts = pmFetch(1, &pmid, &result);
  if (sts < 0) return;
  for (i = 0; i < result->vset[0]->numval; ++i) result->vset[0]->vlist[i].value.lval = number;
  printf("%d of %s\n", result->vset[0]->numval, name);
  SHOW(pmStore(result));
  pmFreeResult(result);
  show_metric(name);
}

static pmValueBlock* block(int type, const void* bytes, size_t size) {
  pmValueBlock* out = malloc(PM_VAL_HDR_SIZE + size + 8);
  out->vtype = (unsigned)type & 0xff;
  out->vlen = (unsigned)(PM_VAL_HDR_SIZE + size) & 0xffffff;
  memcpy(out->vbuf, bytes, size);
  return out;
}

static void give(const char* name, int type, const void* bytes, size_t size) {
  pmResult* result = calloc(1, sizeof *result);
  pmValueSet* set = calloc(1, sizeof *set);
  result->numpmid = 1;
  result->vset[0] = set;
  set->pmid = metric(name);
  set->numval = 1;
  set->valfmt = PM_VAL_DPTR;
  set->vlist[0].inst = (int)PM_IN_NULL;
  set->vlist[0].value.pval = block(type, bytes, size);
  SHOW(pmStore(result));
  pmFreeResult(result);
  show_metric(name);
}

static void fine(const char* name, int number) {
  pmHighResResult* result;
  pmID pmid = metric(name);
  if (pmFetchHighRes(1, &pmid, &result) < 0) return;
  result->vset[0]->vlist[0].value.lval = number;
  SHOW(pmStoreHighRes(result));
  result->vset[0]->numval = 0;
  SHOW(pmStoreHighRes(result));
  pmFreeHighResResult(result);
  show_metric(name);
}

static void wrong(void) {
  pmValueSet set = {.pmid = pmID_build(29, 0, 1023), .numval = 1};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  SHOW(pmStore(&result));
  set.pmid = pmID_build(400, 0, 1);
  SHOW(pmStore(&result));
  set.pmid = PM_ID_NULL;
  SHOW(pmStore(&result));
  set.pmid = metric("sample.control");
  set.vlist[0].value.lval = 99;
  SHOW(pmStore(&result));
  set.numval = -1;
  SHOW(pmStore(&result));
  result.numpmid = 0;
  SHOW(pmStore(&result));
  set.pmid = metric("sample.seconds");
  set.numval = result.numpmid = 1;
  SHOW(pmStore(&result));
}

int main(int argc, char** argv) {
  long long large = 0x123456789abcLL;
  double real = 3.25;
  float narrow = 1.5f;
  if (open_context(argc, argv) < 0) return 1;
  show_metric("sample.write_me");
  back("sample.write_me", 7);
  back("sample.long.write_me", 12);
  back("sample.bin", 5);
  fine("sample.write_me", 2);
  give("sample.longlong.write_me", PM_TYPE_64, &large, sizeof large);
  give("sample.double.write_me", PM_TYPE_DOUBLE, &real, sizeof real);
  give("sample.float.write_me", PM_TYPE_FLOAT, &narrow, sizeof narrow);
  give("sample.string.write_me", PM_TYPE_STRING, "hello there", 12);
  give("sample.string.write_me", PM_TYPE_STRING, "13", 3);
  give("sample.aggregate.write_me", PM_TYPE_AGGREGATE, "abcdefg", 7);
  give("sample.long.write_me", PM_TYPE_DOUBLE, &real, sizeof real);
  wrong();
  back("sample.write_me", 2);
  return 0;
}
