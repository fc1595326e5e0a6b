/* Help texts of metrics and domains, of both kinds, and of those that have none. */
#include "program.h"

static void text(const char* what, int sts, char* found) {
  if (sts < 0) {
    printf("%s: %s\n", what, pmErrStr(sts));
    return;
  }
  printf("%s: <%s>\n", what, found);
  free(found);
}

int main(int argc, char** argv) {
  char* found = NULL;
  pmDesc desc;
  pmID pmid;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i) {
    pmid = metric(argv[i]);
    printf("--- %s\n", argv[i]);
    text("one line", pmLookupText(pmid, PM_TEXT_ONELINE, &found), found);
    text("help", pmLookupText(pmid, PM_TEXT_HELP, &found), found);
    text("both", pmLookupText(pmid, PM_TEXT_ONELINE | PM_TEXT_HELP, &found), found);
    text("neither", pmLookupText(pmid, 0, &found), found);
    if (pmLookupDesc(pmid, &desc) < 0 || desc.indom == PM_INDOM_NULL) continue;
    text("domain, one line", pmLookupInDomText(desc.indom, PM_TEXT_ONELINE, &found), found);
    text("domain, help", pmLookupInDomText(desc.indom, PM_TEXT_HELP, &found), found);
  }
  text("none", pmLookupText(pmID_build(29, 0, 1023), PM_TEXT_HELP, &found), found);
  text("none", pmLookupInDomText(pmInDom_build(29, 4000), PM_TEXT_ONELINE, &found), found);
  return 0;
}
