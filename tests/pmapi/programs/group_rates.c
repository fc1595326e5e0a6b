/* A fetch group: a value beside its rate, up and down, forwards and backwards in an archive.
 *
 *   group_rates archive NAME METRIC INSTANCE|- [MILLISECONDS | back]    below 0: from the end
 */
#include "program.h"

enum { FETCHES = 30 };

static void set_mode(const char* how) {
  pmLogLabel label;
  struct timeval end;
  const int step = atoi(how);
  if (pmGetArchiveLabel(&label) < 0 || pmGetArchiveEnd(&end) < 0) return;
  if (strcmp(how, "back") == 0) {
    SHOW(pmSetMode(PM_MODE_BACK, &end, 0));
  } else {
    SHOW(pmSetMode(PM_MODE_INTERP, step < 0 ? &end : &label.ll_start, step));
  }
}

int main(int argc, char** argv) {
  pmFG group;
  pmAtomValue value, rate;
  int value_status = 0, rate_status = 0, i;
  const char* instance;
  const int host = argc > 1 && strcmp(argv[1], "host") == 0;
  if (argc < 5) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  instance = strcmp(argv[4], "-") == 0 ? NULL : argv[4];
  SHOW(pmCreateFetchGroup(&group, host ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmExtendFetchGroup_item(group, argv[3], instance, "instant", &value, PM_TYPE_DOUBLE,
                               &value_status));
  SHOW(pmExtendFetchGroup_item(group, argv[3], instance, "rate", &rate, PM_TYPE_DOUBLE,
                               &rate_status));
  if (argc > 5) set_mode(argv[5]);
  for (i = 0; i < FETCHES; ++i) {
    if (pmFetchGroup(group) < 0) break;
    printf("%d %.15g %d", value_status, value.d, rate_status);
    if (rate_status == 0) printf(" %.15g", rate.d);
    printf("\n");
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
