/* Local contexts: agents inside this process, one of them that of PCP's agent sample. What each
 * call says, in this thread and in another one, and what calls for hosts and archives say. */
#include <pcp/pmapi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SAY(call) printf("%s: %d\n", #call, call)

static const char* specs[] = {"",      "clear,foo",   "foo",     "add",      "addx",       "add,x",
                              "add,1", "add,511,x,y", "add,5,x", "add,5,x,", "del",        "del,",
                              "del,,", "del,x",       "del,400", "del,,x",   "add, 5x,a,b"};

static void say_children(const char* name) {
  char** children = NULL;
  int* status = NULL;
  const int count = pmGetChildrenStatus(name, &children, &status);
  printf("children of %s: %d", name, count);
  for (int i = 0; i < count; i++) printf(" %s/%d", children[i], status[i]);
  printf("\n");
  if (count > 0) free(children), free(status);
}

static void say_name(const char* name) {
  pmID pmid = PM_ID_NULL;
  const int code = pmLookupName(1, &name, &pmid);
  printf("%s: %d %s\n", name, code, pmIDStr(pmid));
}

static void count_leaf(const char* name, void* count) {
  (void)name;
  ++*(int*)count;
}

static void say_labels(const char* what, int count, pmLabelSet* sets) {
  printf("%s: %d", what, count);
  for (int i = 0; i < count; i++) printf(" %s", sets[i].json == NULL ? "-" : sets[i].json);
  printf("\n");
  if (count > 0) pmFreeLabelSets(sets, count);
}

#define LABELS(what, call)          \
  do {                              \
    const int count_ = call;        \
    say_labels(what, count_, sets); \
  } while (0)

static void* elsewhere(void* unused) {
  pmID pmid = pmID_build(29, 0, 10);
  pmDesc desc;
  pmResult* result;
  SAY(pmNewContext(PM_CONTEXT_LOCAL, NULL));
  SAY(pmUseContext(0));
  SAY(pmLookupDesc(pmid, &desc));
  SAY(pmFetch(1, &pmid, &result));
  SAY(pmDupContext());
  SAY(pmGetPMNSLocation());
  say_name("sample.long.one");
  return unused;
}

static void say_values(pmID* pmids, int count) {
  pmResult* result;
  const int code = pmFetch(count, pmids, &result);
  printf("fetch: %d\n", code);
  if (code < 0) return;
  for (int i = 0; i < result->numpmid; i++) {
    const pmValueSet* set = result->vset[i];
    printf("  %s %d", pmIDStr(set->pmid), set->numval);
    for (int k = 0; k < set->numval; k++) printf(" %d", set->vlist[k].inst);
    printf("\n");
  }
  printf("store: %d\n", pmStore(result));
  pmFreeResult(result);
}

static void say_metadata(pmID* pmids) {
  pmDesc desc;
  pmLabelSet* sets = NULL;
  char *text, **names;
  int *ids, count = 0;
  for (int i = 0; i < 4; i++) printf("desc: %d\n", pmLookupDesc(pmids[i], &desc));
  for (int level = 1; level < 3; level++) {
    for (int i = 0; i < 4; i++) printf("text: %d\n", pmLookupText(pmids[i], level, &text));
    SAY(pmLookupInDomText(pmInDom_build(29, 2), level, &text));
    SAY(pmLookupInDomText(pmInDom_build(29, 2), level | PM_TEXT_DIRECT, &text));
  }
  SAY(pmGetInDom(pmInDom_build(29, 2), &ids, &names));
  SAY(pmGetInDom(pmInDom_build(29, 200), &ids, &names));
  SAY(pmGetInDom(pmInDom_build(400, 2), &ids, &names));
  SAY(pmGetInDomArchive(pmInDom_build(29, 2), &ids, &names));
  SAY(pmNameInDom(pmInDom_build(29, 2), 100, &text));
  SAY(pmNameInDom(pmInDom_build(29, 2), 1, &text));
  SAY(pmLookupInDom(pmInDom_build(29, 2), "bin-300"));
  SAY(pmLookupInDom(pmInDom_build(29, 2), "no"));
  LABELS("context", pmGetContextLabels(&sets));
  LABELS("domain", pmGetDomainLabels(29, &sets));
  LABELS("no domain", pmGetDomainLabels(400, &sets));
  LABELS("indom", pmGetInDomLabels(pmInDom_build(29, 2), &sets));
  LABELS("cluster", pmGetClusterLabels(pmids[0], &sets));
  LABELS("item", pmGetItemLabels(pmids[0], &sets));
  LABELS("instances", pmGetInstancesLabels(pmInDom_build(29, 2), &sets));
  LABELS("all", pmLookupLabels(pmids[1], &sets));
  SAY(pmNameID(pmids[0], &text));
  SAY(pmNameID(pmids[2], &text));
  SAY(pmNameID(pmids[3], &text));
  SAY(pmTraversePMNS_r("sample", count_leaf, &count));
  SAY(count);
  SAY(pmTraversePMNS_r("sample.no", count_leaf, &count));
}

int main(void) {
  pmID pmids[4] = {pmID_build(29, 0, 10), pmID_build(29, 0, 6), pmID_build(400, 1, 1),
                   pmID_build(29, 99, 99)};
  int instance = 300;
  pthread_t other;
  pmLogLabel label;
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    const char* wrong = pmSpecLocalPMDA(specs[i]);
    printf("%s: %s\n", specs[i], wrong == NULL ? "done" : wrong);
  }
  SAY(pmNewContext(PM_CONTEXT_LOCAL, NULL));
  SAY(pmGetPMNSLocation());
  SAY(pmNewContextZone());
  SAY(pmSetMode(PM_MODE_LIVE, NULL, 0));
  SAY(pmSetMode(PM_MODE_INTERP, NULL, 0));
  SAY(pmGetArchiveLabel(&label));
  SAY(pmTrimNameSpace());
  printf("host %s\n", pmGetContextHostName(0));
  say_metadata(pmids);
  say_values(pmids, 4);
  say_values(pmids, 2);
  SAY(pmAddProfile(pmInDom_build(29, 2), 1, &instance));
  say_values(pmids, 2);
  SAY(pmNewContext(PM_CONTEXT_LOCAL, "ignored"));
  say_values(pmids, 2);
  SAY(pmUseContext(0));
  say_values(pmids, 2);
  const char* names[] = {"sample.secret.foo.one",
                         "sample.secret",
                         "sample.secret.no",
                         "sample.long",
                         "sample.no",
                         "pmcd.pid",
                         ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) say_name(names[i]);
  say_children("sample.secret");
  say_children("sample.secret.foo");
  say_children("sample.secret.no");
  say_children("sample.long");
  say_children("sample.no");
  pthread_create(&other, NULL, elsewhere, NULL);
  pthread_join(other, NULL);
  SAY(pmReconnectContext(0));
  SAY(pmSpecLocalPMDA("del,29") == NULL);
  say_values(pmids, 2);
  SAY(pmDestroyContext(0));
  SAY(pmDestroyContext(0));
  return 0;
}
