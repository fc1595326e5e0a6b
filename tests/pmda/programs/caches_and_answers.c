/* Caches, labels, instances and a fetch. Its output on PCP 6.0.3 is beside it. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <string.h>
#define P(e)                                                                            \
  do {                                                                                  \
    int s_ = (int)(e);                                                                  \
    printf("%-70s -> %d%s%s\n", #e, s_, s_ < 0 ? " " : "", s_ < 0 ? pmErrStr(s_) : ""); \
  } while (0)
static pmInDom I;
static void file() {
  char c[300];
  sprintf(c, "cat %s/config/pmda/249.3 2>&1 | sed -E 's/ [0-9]{9,} / STAMP /'",
          getenv("PCP_VAR_DIR"));
  fflush(stdout);
  system(c);
}
static void show(pmLabelSet* s, int n) {
  for (int i = 0; i < n; i++) {
    printf("  set inst=%d n=%d %s:", s[i].inst, s[i].nlabels, s[i].json ? s[i].json : "-");
    for (int j = 0; j < s[i].nlabels; j++) printf(" flags=%x", s[i].labels[j].flags);
    printf("\n");
  }
}
static int cb(pmdaMetric* m, unsigned i, pmAtomValue* a) {
  a->ul = 1;
  return 1;
}
static int lcb(pmInDom d, unsigned i, pmLabelSet** l) {
  if (i == 1) return 0;
  if (i == 2) return PM_ERR_AGAIN;
  return pmdaAddLabels(l, "{\"i\":%u}", i);
}

static void keep_a_cache(void) {
  int inst;
  char* n;
  void* p = 0;
  I = pmInDom_build(249, 3);
  P(pmdaCacheStore(I, 2, "foo", (void*)1));
  P(pmdaCacheStore(I, 2, "boo bar", (void*)2));
  P(pmdaCacheLookupName(I, "foo bar", &inst, &p));
  P(pmdaCacheLookupName(I, "boo", &inst, &p));
  P(pmdaCacheLookupName(I, "boo blah", &inst, &p));
  P(pmdaCacheLookupName(I, "food", &inst, &p));
  P(pmdaCacheLookupName(I, "", &inst, &p));
  P(pmdaCacheStore(I, 3, "foo", (void*)9));
  P(pmdaCacheLookup(I, 0, &n, &p));
  printf("p=%p\n", p);
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheStore(I, 2, "boo bar", (void*)3));
  P(pmdaCacheOp(I, 6));
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheStore(I, 3, "boo bar", NULL));
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheStore(I, 2, "boo bar", NULL));
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheResize(I, 50));
  P(pmdaCacheOp(I, 18));
  P(pmdaCacheOp(I, 13));
  P(pmdaCacheOp(I, 6));
  file();
}

static void fill_a_cache(void) {
  int inst;
  char* n;
  void* p = 0;
  P(pmdaCacheStore(I, 1, "x", 0));
  P(pmdaCacheStore(I, 0, "x", 0));
  P(pmdaCacheStore(I, 2, " x", 0));
  P(pmdaCacheOp(I, 10));
  P(pmdaCacheResize(I, 3));
  P(pmdaCacheStore(I, 2, "t3", 0));
  P(pmdaCacheStore(I, 2, "t4", 0));
  P(pmdaCacheStore(I, 2, "t5", 0));
  P(pmdaCacheStore(I, 2, "t6", 0));
  P(pmdaCacheOp(I, 4));
  P(pmdaCacheOp(I, 10));
  P(pmdaCacheOp(I, 12));
  P(pmdaCacheOp(I, 15));
  P(pmdaCacheOp(I, 14));
  P(pmdaCacheOp(I, 15));
  P(pmdaCacheOp(I, 17));
  P(pmdaCacheStore(I, 2, "again", 0));
  P(pmdaCacheOp(I, 6));
  file();
  P(pmdaCacheStoreKey(I, 2, "again", 3, "abc", 0));
  P(pmdaCacheStoreKey(I, 3, "nope", 3, "abc", 0));
  P(pmdaCacheLookupKey(I, "k1", 0, 0, &n, &inst, &p));
  P(pmdaCacheLookupKey(I, "again", 0, 0, &n, &inst, &p));
  P(pmdaCacheOp(I, 99));
  P(pmdaCacheOp(PM_INDOM_NULL, 10));
  P(pmdaCacheLookup(PM_INDOM_NULL, 1, &n, &p));
}

/* A key is one instance's alone, and gives one number however often that is culled. */
static void keep_keys(void) {
  pmInDom k = pmInDom_build(249, 5);
  P(pmdaCacheStoreKey(k, 2, "disk a", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "other", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "disk b", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "disk b", 3, "xyz", NULL));
  P(pmdaCacheStoreKey(k, 3, "disk a", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "other", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 4, "disk a", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "disk a", 3, "abc", NULL));
  P(pmdaCacheOp(k, 4));
  P(pmdaCacheStoreKey(k, 2, "other", 3, "abc", NULL));
  P(pmdaCacheStoreKey(k, 2, "disk a", 3, "abc", NULL));
  P(pmdaCacheOp(k, 11));
}

static void add_labels(void) {
  pmLabelSet* ls = NULL;
  P(pmdaAddLabels(&ls, "{\"a\":\"x\",\"b\":%d}", 3));
  show(ls, 1);
  P(pmdaAddNotes(&ls, "{\"c\":{\"d\":1}}"));
  show(ls, 1);
  P(pmdaAddLabels(&ls, "bad"));
  P(pmdaAddLabels(&ls, "{\"b\":7}"));
  show(ls, 1);
  P(pmdaAddLabelFlags(ls, PM_LABEL_ITEM));
  show(ls, 1);
  P(pmdaAddLabelFlags(NULL, 1));
}

static pmdaInterface d;
static pmdaInstid set[] = {{0, "zero"}, {1, "one two"}, {2, "x"}};
static pmdaIndom in[] = {{4, 3, set}};
static pmdaMetric m[] = {
    {NULL, {PMDA_PMID(0, 0), PM_TYPE_U32, 4, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}}};

static void give_labels(pmdaExt* e) {
  pmLabelSet* ls = NULL;
  int c;
  P(c = pmdaLabel(249, PM_LABEL_DOMAIN, &ls, e));
  show(ls, c);
  P(c = pmdaLabel(249, PM_LABEL_DOMAIN, &ls, e));
  ls = NULL;
  pmdaAddLabels(&ls, "{\"r\":1}");
  P(c = pmdaLabel(249, PM_LABEL_DOMAIN, &ls, e));
  show(ls, c);
  P(c = pmdaLabel(249, PM_LABEL_INDOM, &ls, e));
  show(ls, c);
  ls = NULL;
  P(pmdaLabel(249, PM_LABEL_INDOM, &ls, e));
  P(pmdaLabel(249, PM_LABEL_ITEM, &ls, e));
  P(pmdaLabel(249, 3, &ls, e));
  P(c = pmdaLabel(249, PM_LABEL_CONTEXT, &ls, e));
  show(ls, c);
  ls = NULL;
  pmdaAddLabels(&ls, "{\"r\":1}");
  P(c = pmdaLabel(249, PM_LABEL_CONTEXT, &ls, e));
  show(ls, c);
  ls = NULL;
  P(c = pmdaLabel(in[0].it_indom, PM_LABEL_INSTANCES, &ls, e));
  if (c > 0) show(ls, c);
  pmdaSetLabelCallBack(&d, lcb);
  ls = NULL;
  P(c = pmdaLabel(in[0].it_indom, PM_LABEL_INSTANCES, &ls, e));
  if (c > 0) show(ls, c);
  ls = NULL;
  P(c = pmdaLabel(PM_INDOM_NULL, PM_LABEL_INSTANCES, &ls, e));
  if (c > 0) show(ls, c);
  ls = NULL;
  P(c = pmdaLabel(99, PM_LABEL_INSTANCES, &ls, e));
}

static void give_answers(pmdaExt* e) {
  pmInResult* r;
  P(pmdaInstance(in[0].it_indom, -1, "one", &r, e));
  P(pmdaInstance(in[0].it_indom, -1, "one x", &r, e));
  P(pmdaInstance(in[0].it_indom, 1, "one", &r, e));
  P(pmdaInstance(in[0].it_indom, -1, "", &r, e));
  P(pmdaInstance(77, -1, "", &r, e));
  P(pmdaInstance(I, -1, NULL, &r, e));
  printf("n=%d\n", r->numinst);
  P(__pmdaCntInst(77, e));
  P(__pmdaCntInst(in[0].it_indom, e));
  P(__pmdaCntInst(PM_INDOM_NULL, e));
  printf("ctx %d %d\n", e->e_context, pmdaGetContext());
  printf("ext: %d %d %d %d %d %d %d %x\n", e->e_singular, e->e_ordinal, e->e_direct, e->e_help,
         e->e_infd, e->e_port, e->e_io, e->e_flags);
  pmID ids[] = {m[0].m_desc.pmid, pmID_build(249, 9, 9), pmID_build(3, 0, 0)};
  pmResult* res;
  P(pmdaFetch(3, ids, &res, e));
  for (int i = 0; i < 3; i++)
    printf("%s numval=%d fmt=%d\n", pmIDStr(res->vset[i]->pmid), res->vset[i]->numval,
           res->vset[i]->valfmt);
  pmDesc ds;
  P(pmdaDesc(pmID_build(3, 0, 0), &ds, e));
  printf("%s\n", pmIDStr(ds.pmid));
  char* tx;
  P(pmdaText(1, 5, &tx, e));
}

int main(void) {
  setbuf(stdout, NULL);
  keep_a_cache();
  fill_a_cache();
  keep_keys();
  add_labels();
  pmdaDaemon(&d, 7, "pmdatst DSO", 249, NULL, NULL);
  pmdaSetFetchCallBack(&d, cb);
  pmdaInit(&d, in, 1, m, 1);
  give_labels(d.version.any.ext);
  give_answers(d.version.any.ext);
  return 0;
}
