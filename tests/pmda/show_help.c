/* The texts that newhelp has compiled ($HELP), by metric and by domain. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>

static void show(const char* what, const char* text) {
  printf("%s: %s%s\n", what, text == NULL ? "none" : "", text == NULL ? "" : text);
}

int main(void) {
  const int help = pmdaOpenHelp(getenv("HELP"));
  const pmID ids[] = {pmID_build(253, 0, 0), pmID_build(253, 0, 1), pmID_build(253, 1, 2),
                      pmID_build(253, 2, 4), pmID_build(253, 3, 0)};
  size_t i;
  for (i = 0; i < sizeof ids / sizeof ids[0]; i++) {
    printf("--- %s\n", pmIDStr(ids[i]));
    show("one line", pmdaGetHelp(help, ids[i], PM_TEXT_ONELINE | PM_TEXT_PMID));
    show("text", pmdaGetHelp(help, ids[i], PM_TEXT_HELP | PM_TEXT_PMID));
  }
  printf("--- 253.0\n");
  show("one line", pmdaGetInDomHelp(help, pmInDom_build(253, 0), PM_TEXT_ONELINE));
  show("text", pmdaGetInDomHelp(help, pmInDom_build(253, 0), PM_TEXT_HELP));
  show("other domain", pmdaGetInDomHelp(help, pmInDom_build(253, 1), PM_TEXT_HELP));
  printf("not there: %d, a folder: %d\n", pmdaOpenHelp("no/such/help"), pmdaOpenHelp("/"));
  pmdaCloseHelp(help);
  show("closed", pmdaGetHelp(help, ids[0], PM_TEXT_ONELINE));
  show("wrong handle", pmdaGetHelp(99, ids[0], PM_TEXT_ONELINE));
  return 0;
}
