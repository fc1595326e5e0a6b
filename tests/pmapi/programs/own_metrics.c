/* Derived metrics, the first half of the words for the process, the others for a context: names,
 * descriptors, texts, labels and values, there, in a duplicate, in another context, after a
 * reconnect.
 *
 *   own_metrics (archive | host) NAME METRIC=EXPRESSION…
 */
#include "program.h"

enum { MOST = 99 };
static const char* names[MOST];
static pmID pmids[MOST];
static int count;

static void text(int kind) {
  char* found = NULL;
  const int sts = pmLookupText(pmids[count], kind, &found);
  printf(" text %s", sts < 0 ? pmErrStr(sts) : found);
  free(found);
}

static void metadata(void) {
  pmDesc desc;
  pmLabelSet* sets = NULL;
  char** all = NULL;
  int i, sts = pmLookupName(1, &names[count], &pmids[count]);
  printf("%s %d %s", names[count], sts, pmIDStr(pmids[count]));
  if (sts < 1) {
    printf("\n");
    return;
  }
  sts = pmLookupDesc(pmids[count], &desc);
  printf(" desc %d", sts);
  if (sts >= 0)
    printf(" %s %s %s %s", pmTypeStr(desc.type), pmInDomStr(desc.indom), pmSemStr(desc.sem),
           pmUnitsStr(&desc.units));
  text(PM_TEXT_ONELINE);
  text(PM_TEXT_HELP);
  sts = pmLookupLabels(pmids[count], &sets);
  printf(" labels %d", sts);
  for (i = 0; i < sts; ++i) printf(" %.*s", (int)sets[i].jsonlen, sets[i].json);
  pmFreeLabelSets(sets, sts);
  sts = pmNameAll(pmids[count], &all);
  printf(" names %d %s\n", sts, sts > 0 ? all[0] : "");
  if (sts > 0) free(all);
}

static void show(const char* where, int metrics) {
  pmResult* result;
  int i;
  printf("-- %s\n", where);
  for (count = 0; count < metrics; ++count) metadata();
  for (i = 0; i < 4; ++i) {
    const int sts = pmFetch(metrics, pmids, &result);
    if (sts < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      return;
    }
    result->timestamp.tv_sec = result->timestamp.tv_usec = 0;
    show_result(result);
    pmFreeResult(result);
  }
}

static void define(char* word, int (*call)(const char*, const char*, char**)) {
  char *expression = strchr(word, '='), *error = NULL;
  *expression++ = '\0';
  printf("%s %d %s\n", word, call(word, expression, &error), error ? error : "");
  free(error);
}

int main(int argc, char** argv) {
  const int half = 3 + (argc - 3) / 2;
  const int type = argc > 1 && strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE;
  int i, first, copy;
  for (i = 3; i < argc; ++i) names[i - 3] = argv[i];
  for (i = 3; i < half; ++i) define(argv[i], pmRegisterDerivedMetric);
  first = open_context(argc, argv);
  show("of the process", half - 3);
  for (i = half; i < argc; ++i) define(argv[i], pmAddDerivedMetric);
  show("of the context", argc - 3);
  copy = pmDupContext();
  show("a duplicate", argc - 3);
  SHOW(pmNewContext(type, argv[2]));
  show("another context", argc - 3);
  SHOW(pmUseContext(first));
  SHOW(pmReconnectContext(first));
  show("after a reconnect", argc - 3);
  SHOW(pmDestroyContext(first));
  SHOW(pmUseContext(copy));
  show("the duplicate alone", argc - 3);
  return 0;
}
