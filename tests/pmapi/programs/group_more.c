/* What the manual pages say of fetch groups and PCP's header leaves out: to clear one, times of two
 * kinds. */
#include "program.h"

extern int pmClearFetchGroup(pmFG);
extern int pmExtendFetchGroup_timeval(pmFG, struct timeval*);
extern int pmExtendFetchGroup_timespec(pmFG, struct timespec*);

int main(int argc, char** argv) {
  pmFG group;
  pmAtomValue first, second;
  int first_status = 99, second_status = 99, i;
  struct timeval coarse = {0, 0};
  struct timespec fine = {0, 0};
  if (argc < 4) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmExtendFetchGroup_timeval(group, &coarse));
  SHOW(pmExtendFetchGroup_timespec(group, &fine));
  SHOW(pmExtendFetchGroup_item(group, argv[3], NULL, "instant", &first, PM_TYPE_DOUBLE,
                               &first_status));
  for (i = 0; i < 2; ++i) {
    SHOW(pmFetchGroup(group));
    printf("%ld.%06ld %ld.%09ld %d %g\n", (long)coarse.tv_sec, (long)coarse.tv_usec,
           (long)fine.tv_sec, fine.tv_nsec, first_status, first.d);
  }
  SHOW(pmClearFetchGroup(group));
  SHOW(pmFetchGroup(group));
  SHOW(pmExtendFetchGroup_item(group, argv[3], NULL, "instant", &second, PM_TYPE_32,
                               &second_status));
  first.d = -5;
  coarse.tv_sec = fine.tv_sec = 0;
  for (i = 0; i < 3; ++i) {
    SHOW(pmFetchGroup(group));
    printf("%ld %ld %d %d %g\n", (long)coarse.tv_sec, (long)fine.tv_sec, second_status, second.l,
           first.d);
  }
  SHOW(pmClearFetchGroup(group));
  SHOW(pmClearFetchGroup(group));
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
