/* Contexts used wrongly: closed, never opened, of the other kind; each function says so. */
#include "program.h"

static void all_of_them(void) {
  static int zero;
  pmID pmid = pmID_build(60, 2, 0), none = PM_ID_NULL;
  pmInDom indom = pmInDom_build(60, 1);
  const char* name = "hinv.ncpu";
  char **list, *text, room[10];
  int *codes, i;
  pmDesc desc;
  pmResult* result;
  pmHighResResult* fine;
  pmLabelSet* sets;
  pmLogLabel label;
  pmHighResLogLabel fine_label;
  struct timeval when = {1, 2};
  struct timespec exact = {1, 2};
  SHOW(pmWhichContext());
  SHOW(pmLookupName(1, &name, &pmid));
  SHOW(pmLookupName(0, &name, &pmid));
  SHOW(pmLookupDesc(pmid, &desc));
  SHOW(pmLookupDesc(none, &desc));
  SHOW(pmLookupDescs(1, &none, &desc));
  SHOW(pmLookupInDom(indom, "nothing like that"));
  SHOW(pmLookupInDom(PM_INDOM_NULL, "sda"));
  SHOW(pmLookupInDomArchive(indom, "nothing like that"));
  SHOW(pmNameInDom(indom, 4711, &text));
  SHOW(pmNameInDom(PM_INDOM_NULL, 0, &text));
  SHOW(pmNameInDomArchive(indom, 4711, &text));
  SHOW(pmGetInDom(pmInDom_build(200, 7), &codes, &list));
  SHOW(pmGetInDom(PM_INDOM_NULL, &codes, &list));
  SHOW(pmGetInDomArchive(pmInDom_build(200, 7), &codes, &list));
  SHOW(pmNameID(none, &text));
  SHOW(pmNameAll(none, &list));
  SHOW(pmNameID(pmID_build(200, 7, 7), &text));
  SHOW(pmLookupText(none, PM_TEXT_HELP, &text));
  SHOW(pmLookupInDomText(PM_INDOM_NULL, PM_TEXT_ONELINE, &text));
  SHOW(pmLookupLabels(none, &sets));
  SHOW(pmGetDomainLabels(200, &sets));
  SHOW(pmGetClusterLabels(none, &sets));
  SHOW(pmGetInDomLabels(PM_INDOM_NULL, &sets));
  SHOW(pmFetch(0, &pmid, &result));
  SHOW(pmFetch(-1, &pmid, &result));
  SHOW(pmFetchHighRes(0, &pmid, &fine));
  SHOW(pmGetArchiveLabel(&label) < 0 ? -1 : 0);
  SHOW(pmGetHighResArchiveLabel(&fine_label) < 0 ? -1 : 0);
  SHOW(pmGetArchiveEnd(&when) < 0 ? -1 : 0);
  SHOW(pmGetHighResArchiveEnd(&exact) < 0 ? -1 : 0);
  SHOW(pmNewContextZone() < 0 ? -1 : 0);
  SHOW(pmAddProfile(indom, 1, NULL));
  SHOW(pmAddProfile(PM_INDOM_NULL, 1, &zero));
  SHOW(pmDelProfile(PM_INDOM_NULL, 1, &zero));
  SHOW(pmGetHostName(pmWhichContext(), room, 2));
  SHOW(pmGetPMNSLocation());
  SHOW(pmGetChildren("no.such.name", &list));
  for (i = 0; i < 2; ++i) SHOW(pmTraversePMNS("no.such.name", NULL));
}

int main(int argc, char** argv) {
  char room[100];
  int context = open_context(argc, argv), other;
  if (argc > 2 && context < 0) return 1;
  all_of_them();
  if (argc < 3) return 0;
  SHOW(other = pmDupContext());
  SHOW(pmDestroyContext(context));
  SHOW(pmDestroyContext(context));
  SHOW(pmUseContext(context));
  SHOW(pmReconnectContext(context));
  printf("<%s>\n", pmGetContextHostName(context));
  printf("<%s>\n", pmGetContextHostName_r(context, room, sizeof room));
  SHOW(pmWhichContext());
  SHOW(pmUseContext(99));
  SHOW(pmUseContext(-1));
  SHOW(pmDestroyContext(-1));
  SHOW(pmDestroyContext(99));
  SHOW(pmDestroyContext(other));
  all_of_them();
  SHOW(pmDupContext());
  return 0;
}
