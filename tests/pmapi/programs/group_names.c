/* Names of instances in a fetch group, where instances come and go, at steps of an archive.
 *
 *   group_names ARCHIVE METRIC STEP CLEARED     a step of 0: the records; cleared at that fetch
 */
#include "program.h"

/* Not in PCP's header of 6.0.3. */
extern int pmClearFetchGroup(pmFG);

enum { ROOM = 400 };
static int codes[ROOM], statuses[ROOM], status;
static char* names[ROOM];
static pmAtomValue values[ROOM];
static unsigned count;
static pmFG group;

static void extend(const char* name) {
  SHOW(pmExtendFetchGroup_indom(group, name, "instant", codes, names, values, PM_TYPE_DOUBLE,
                                statuses, ROOM, &count, &status));
}

int main(int argc, char** argv) {
  pmLogLabel label;
  unsigned i;
  int fetch;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 5) return 1;
  SHOW(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, argv[1]));
  SHOW(pmUseContext(pmGetFetchGroupContext(group)));
  SHOW(pmGetArchiveLabel(&label));
  if (atoi(argv[3]) != 0) SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, atoi(argv[3])));
  extend(argv[2]);
  for (fetch = 0; fetch < 20; ++fetch) {
    if (fetch == atoi(argv[4])) {
      SHOW(pmClearFetchGroup(group));
      extend(argv[2]);
    }
    printf("%d, %d:", pmFetchGroup(group), status);
    for (i = 0; i < count; ++i)
      printf(" %d %s %g", codes[i], names[i] ? names[i] : "without a name", values[i].d);
    printf("\n");
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
