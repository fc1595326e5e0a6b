/* Where names come from, after steps in the order of the words.
 *
 *   name_order [look | local | unload | load FILE | use HANDLE | host NAME | archive NAME]…
 */
#include "program.h"

static void look(void) {
  const char* name = "hinv.ncpu";
  char *found = NULL, **children = NULL;
  pmID pmid = PM_ID_NULL;
  SHOW(pmLookupName(1, &name, &pmid));
  if (pmGetChildren("hinv", &children) > 0) printf("a child %s\n", children[0]);
  free(children);
  SHOW(pmGetPMNSLocation());
  if (pmNameID(pmID_build(60, 0, 32), &found) >= 0) printf("a name %s\n", found);
  free(found);
  SHOW(pmTrimNameSpace());
}

int main(int argc, char** argv) {
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i < argc; ++i) {
    const char* step = argv[i];
    const char* word = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(step, "look") == 0) {
      look();
      continue;
    }
    if (strcmp(step, "local") == 0) {
      SHOW(pmNewContext(PM_CONTEXT_LOCAL, NULL));
      continue;
    }
    if (strcmp(step, "unload") == 0) {
      pmUnloadNameSpace();
      continue;
    }
    if (strcmp(step, "load") == 0) SHOW(pmLoadNameSpace(word));
    if (strcmp(step, "use") == 0) SHOW(pmUseContext(atoi(word)));
    if (strcmp(step, "host") == 0) SHOW(pmNewContext(PM_CONTEXT_HOST, word));
    if (strcmp(step, "archive") == 0) SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, word));
    ++i;
  }
  return 0;
}
