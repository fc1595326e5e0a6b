/* Names at run time: trees, and the table that follows them. Its output on PCP 6.0.3 is beside it.
 */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <stdlib.h>
#include <string.h>
static pmdaNameSpace* tree;
static int changed = 1, ver;
static int up_names(pmdaExt* e, pmdaNameSpace** t) {
  if (changed) {
    if (tree) pmdaTreeRelease(tree);
    pmdaTreeCreate(&tree);
    pmdaTreeInsert(tree, pmID_build(249, 3, 1), "dyn.a.x");
    pmdaTreeInsert(tree, pmID_build(249, 3, 2), "dyn.b");
    if (ver) pmdaTreeInsert(tree, pmID_build(249, 3, 3), "dyn.c");
    pmdaTreeRebuildHash(tree, 2 + ver);
    *t = tree;
    changed = 0;
    return 1;
  }
  *t = tree;
  return 0;
}
static int up_text(pmdaExt* e, pmID p, int t, char** b) {
  printf("up_text %s %d\n", pmIDStr(p), t);
  *b = "text";
  return pmID_cluster(p) == 3 ? 0 : PM_ERR_TEXT;
}
static void up_metric(pmdaMetric* s, pmdaMetric* d, int id) {
  memcpy(d, s, sizeof *d);
  d->m_desc.pmid = pmID_build(pmID_domain(s->m_desc.pmid), pmID_cluster(s->m_desc.pmid), id);
  printf("up_metric src=%s id=%d\n", pmIDStr(s->m_desc.pmid), id);
}
static int tot = 2, tr = 3;
static void cnt(int* a, int* b) {
  *a = tot;
  *b = tr;
  printf("count\n");
}
static int cb(pmdaMetric* m, unsigned i, pmAtomValue* a) {
  a->ul = 1;
  return 1;
}
static pmdaMetric m[] = {
    {NULL,
     {PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(3, 1), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(3, 2), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}},
    {NULL,
     {PMDA_PMID(5, 7), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT,
      PMDA_PMUNITS(0, 0, 0, 0, 0, 0)}}};
static void show(pmdaExt* e) {
  printf("table flags=%x direct=%d:", e->e_flags, e->e_direct);
  for (int i = 0; i < e->e_nmetrics; i++)
    if (e->e_metrics[i].m_desc.pmid) printf(" %s", pmIDStr(e->e_metrics[i].m_desc.pmid));
  printf("\n");
}
static void kids(pmdaNameSpace* t, const char* n, int trav) {
  char** k = NULL;
  int* s = NULL;
  int c = pmdaTreeChildren(t, n, trav, &k, &s);
  printf("children(%s,%d) -> %d:", n, trav, c);
  for (int i = 0; i < c; i++) printf(" %s=%d", k[i], s ? s[i] : -9);
  printf("\n");
}
int main(int argc, char** argv) {
  setbuf(stdout, NULL);
  pmdaInterface d;
  memset(&d, 0, sizeof d);
  pmSetProgname("dyn");

  pmdaDaemon(&d, 7, "tst", 249, NULL, NULL);
  pmdaSetFetchCallBack(&d, cb);
  pmdaExt* e = d.version.any.ext;
  int cl[] = {3, 4};
  pmdaExtDynamicPMNS("dyn", cl, 2, up_names, up_text, up_metric, cnt, m, 4, e);
  pmdaSetFlags(&d, PMDA_EXT_FLAG_HASHED);
  pmdaInit(&d, NULL, 0, m, 4);
  show(e);
  pmdaNameSpace* t = pmdaDynamicLookupName(e, "dyn.a");
  printf("lookup dyn.a %d\n", t != NULL);
  show(e);
  printf("lookup dyn %d\n", pmdaDynamicLookupName(e, "dyn") != NULL);
  printf("lookup other %d\n", pmdaDynamicLookupName(e, "other") != NULL);
  printf("lookup dynx %d\n", pmdaDynamicLookupName(e, "dynx") != NULL);
  printf("lookup dyn.zz %d\n", pmdaDynamicLookupName(e, "dyn.zz") != NULL);
  printf("pmid 3.9 %d\n", pmdaDynamicLookupPMID(e, pmID_build(249, 3, 9)) != NULL);
  printf("pmid 4.1 %d\n", pmdaDynamicLookupPMID(e, pmID_build(249, 4, 1)) != NULL);
  printf("pmid 5.1 %d\n", pmdaDynamicLookupPMID(e, pmID_build(249, 5, 1)) != NULL);
  char* b = NULL;
  printf("text %d\n", pmdaDynamicLookupText(pmID_build(249, 3, 1), 5, &b, e));
  printf("text %d\n", pmdaDynamicLookupText(pmID_build(249, 4, 1), 5, &b, e));
  printf("text %d\n", pmdaDynamicLookupText(pmID_build(249, 5, 1), 5, &b, e));
  changed = 1;
  ver = 1;
  t = pmdaDynamicLookupPMID(e, pmID_build(249, 3, 3));
  show(e);
  pmID p;
  printf("treepmid %d %d %d %d\n", pmdaTreePMID(t, "dyn.a.x", &p), pmdaTreePMID(t, "dyn.a", &p),
         pmdaTreePMID(t, "dyn", &p), pmdaTreePMID(t, "", &p));
  printf("size %d\n", pmdaTreeSize(t));
  char** n = NULL;
  printf("name %d\n", pmdaTreeName(t, pmID_build(249, 3, 2), &n));
  printf("%s\n", n[0]);
  printf("insert dup %d other %d\n", pmdaTreeInsert(t, pmID_build(249, 3, 2), "dyn.b"),
         pmdaTreeInsert(t, pmID_build(249, 3, 12), "dyn.b"));
  pmdaTreeInsert(t, pmID_build(249, 3, 2), "dyn.bb");
  printf("on a branch %d\n", pmdaTreeInsert(t, pmID_build(249, 3, 14), "dyn.a"));
  pmdaTreeRebuildHash(t, 5);
  printf("size %d\n", pmdaTreeSize(t));
  int c = pmdaTreeName(t, pmID_build(249, 3, 2), &n);
  printf("names %d", c);
  for (int i = 0; i < c; i++) printf(" %s", n[i]);
  printf("\n");
  kids(t, "dyn", 0);
  kids(t, "dyn", 1);
  kids(t, "dyn.c", 0);
  kids(t, "dyn.c", 1);
  kids(t, "", 0);
  kids(t, "nope", 0);
  kids(t, "dyn.a", 1);
  return 0;
}
