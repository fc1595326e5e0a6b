/* Every call with what is wrong for it: without a context, of a host, of an archive. */
#include "program.h"

static void leaf(const char* name) { (void)name; }

static const char* names[3] = {"no.such.metric", "pmcd", ""};
static const char* one[1];
static pmID ids[3] = {0x1fffffff, PM_ID_NULL, 0};
static pmDesc descs[3];
static pmResult* result;
static pmHighResResult* fine;
static char **list, *text;
static int *instances, *status, some[2] = {1, 2};
static pmLabelSet* labels;
static pmLogLabel label;
static pmHighResLogLabel fine_label;
static struct timeval when = {1, 0};
static struct timespec end, step = {1, 0};
static pmValueSet empty = {0x1fffffff, 0, PM_VAL_INSITU, {{0, {0}}}};
static pmResult stored = {{0, 0}, 1, {&empty}};

static void of_names_and_metrics(void) {
  SHOW(pmLookupName(0, names, ids));
  one[0] = "no.such.metric";
  SHOW(pmLookupName(1, one, ids));
  one[0] = "kernel";
  SHOW(pmLookupName(1, one, ids));
  one[0] = "";
  SHOW(pmLookupName(1, one, ids));
  SHOW(pmLookupName(3, names, ids));
  printf("%s %s\n", pmIDStr(ids[0]), pmIDStr_r(ids[1], (char[20]){0}, 20));
  SHOW(pmGetChildren("no.such", &list));
  SHOW(pmGetChildrenStatus("no.such", &list, &status));
  SHOW(pmNameID(0x1fffffff, &text));
  SHOW(pmNameAll(PM_ID_NULL, &list));
  SHOW(pmTraversePMNS("no.such", leaf));
  SHOW(pmGetPMNSLocation());
  SHOW(pmTrimNameSpace());
  SHOW(pmLookupDesc(0x1fffffff, &descs[0]));
  SHOW(pmLookupDesc(PM_ID_NULL, &descs[0]));
  ids[0] = 0x1fffffff;
  SHOW(pmLookupDescs(1, ids, descs));
  SHOW(pmLookupDescs(2, ids, descs));
  SHOW(pmLookupDescs(0, ids, descs));
  SHOW(pmGetInDom(PM_INDOM_NULL, &instances, &list));
  SHOW(pmGetInDom(0x1ffffff, &instances, &list));
  SHOW(pmLookupInDom(0x1ffffff, "x"));
  SHOW(pmNameInDom(0x1ffffff, 1, &text));
  SHOW(pmGetInDomArchive(0x1ffffff, &instances, &list));
  SHOW(pmLookupInDomArchive(0x1ffffff, "x"));
  SHOW(pmNameInDomArchive(0x1ffffff, 1, &text));
  SHOW(pmNameInDomArchive(PM_INDOM_NULL, 1, &text));
  SHOW(pmLookupText(0x1fffffff, PM_TEXT_ONELINE, &text));
  SHOW(pmLookupInDomText(0x1ffffff, PM_TEXT_HELP, &text));
}

static void of_fetches(void) {
  SHOW(pmFetch(0, ids, &result));
  SHOW(pmFetchHighRes(0, ids, &fine));
  SHOW(pmFetchArchive(&result));
  SHOW(pmSetMode(PM_MODE_LIVE, NULL, 0));
  SHOW(pmSetMode(PM_MODE_FORW, NULL, 0));
  SHOW(pmSetMode(77, &when, 0));
  SHOW(pmSetModeHighRes(PM_MODE_INTERP, NULL, &step));
  SHOW(pmFetchHighResArchive(&fine));
  SHOW(pmGetArchiveLabel(&label) < 0 ? pmGetArchiveLabel(&label) : 0);
  SHOW(pmGetHighResArchiveLabel(&fine_label));
  SHOW(pmGetHighResArchiveEnd(&end));
  SHOW(pmStore(&stored));
  stored.numpmid = 0;
  SHOW(pmStore(&stored));
  SHOW(pmAddProfile(PM_INDOM_NULL, 2, some));
  SHOW(pmDelProfile(PM_INDOM_NULL, 2, some));
  SHOW(pmAddProfile(PM_INDOM_NULL, 2, NULL));
  SHOW(pmDelProfile(0x1ffffff, 2, some));
  SHOW(pmNewContextZone() < 0 ? -1 : 0);
  SHOW(pmGetContextLabels(&labels) < 0 ? pmGetContextLabels(&labels) : 0);
  SHOW(pmGetDomainLabels(510, &labels));
  SHOW(pmGetInDomLabels(0x1ffffff, &labels));
  SHOW(pmLookupLabels(0x1fffffff, &labels));
}

static void of_the_rest(void) {
  SHOW(pmUseContext(99));
  SHOW(pmUseContext(-1));
  SHOW(pmDestroyContext(99));
  SHOW(pmReconnectContext(99));
  printf("<%s> <%s>\n", pmGetContextHostName(99), pmGetContextHostName_r(-5, (char[10]){0}, 10));
  SHOW(pmUseZone(99));
  SHOW(pmNewContext(PM_CONTEXT_HOST, NULL));
  SHOW(pmNewContext(PM_CONTEXT_HOST, ""));
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, NULL));
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, ""));
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, "nonexistent/archive"));
  SHOW(pmSetDebug("nonsense"));
  SHOW(pmClearDebug("nonsense"));
  SHOW(pmDiscoverServices("nonsense", NULL, &list));
  SHOW(pmGetDerivedControl(99, some));
  SHOW(pmLoadDerivedConfig("nonexistent/file"));
}

int main(int argc, char** argv) {
  (void)open_context(argc, argv);
  of_names_and_metrics();
  of_fetches();
  of_the_rest();
  return 0;
}
