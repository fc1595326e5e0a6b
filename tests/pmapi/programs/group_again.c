/* A fetch group that is used for long: cleared, extended again, extended in vain between fetches,
 * its context destroyed. What a program's variables hold after each step.
 *
 *   group_again ARCHIVE METRIC TYPE [INSTANCE FIELD]     TYPE is a number; with FIELD of events
 */
#include "program.h"

/* Not in PCP's header of 6.0.3. */
extern int pmClearFetchGroup(pmFG);
extern int pmExtendFetchGroup_timespec(pmFG, struct timespec*);

enum { ROOM = 4 };
static int codes[ROOM], statuses[ROOM], status = 2;
static char* names[ROOM];
static pmAtomValue values[ROOM];
static struct timespec times[ROOM], fine = {1, 0};
static struct timeval coarse = {1, 0};
static unsigned count = 3;
static pmFG group;
static const char *metric_name, *instance, *field;
static int type;

/* A time of now is none that can be compared. */
static const char* kind_of(time_t sec) {
  return sec == 0 ? "none" : sec > 1700000000 ? "now" : "recorded";
}

static void show(const char* when) {
  int i;
  printf("%s: %u values, status %d, %s, %s\n", when, count, status, kind_of(coarse.tv_sec),
         kind_of(fine.tv_sec));
  for (i = 0; i < ROOM; ++i) {
    printf("  %d %s %d %ld ", codes[i], names[i] ? names[i] : "none", statuses[i],
           (long)times[i].tv_sec);
    if (type == PM_TYPE_STRING)
      printf("%s\n", values[i].cp ? values[i].cp : "none");
    else if (type <= PM_TYPE_U32) /* of the rest of 64 bits nobody says what it holds */
      printf("%d\n", values[i].l);
    else
      printf("%llx\n", (unsigned long long)values[i].ull);
  }
}

static void extend(void) {
  if (field)
    SHOW(pmExtendFetchGroup_event(group, metric_name, instance, field, NULL, times, values, type,
                                  statuses, ROOM, &count, &status));
  else
    SHOW(pmExtendFetchGroup_indom(group, metric_name, "instant", codes, names, values, type,
                                  statuses, ROOM, &count, &status));
  show("extended");
  SHOW(pmExtendFetchGroup_timestamp(group, &coarse));
  SHOW(pmExtendFetchGroup_timespec(group, &fine));
  show("with times");
}

static void fetch(int times_more) {
  while (times_more-- > 0) {
    SHOW(pmFetchGroup(group));
    show("fetched");
    if (coarse.tv_sec < 1700000000) printf("at %ld\n", (long)coarse.tv_sec);
  }
}

/* What cannot be found takes the group one record back. */
static void in_vain(void) {
  pmAtomValue value;
  SHOW(pmExtendFetchGroup_item(group, "no.such", NULL, NULL, &value, PM_TYPE_U64, NULL));
  fetch(2);
  SHOW(pmExtendFetchGroup_item(group, metric_name, "nobody", NULL, &value, PM_TYPE_U64, NULL));
  fetch(1);
  SHOW(pmExtendFetchGroup_event(group, metric_name, instance, "no.such", NULL, NULL, &value,
                                PM_TYPE_U64, NULL, 1, NULL, NULL));
  fetch(1);
  SHOW(pmExtendFetchGroup_indom(group, "no.such", NULL, NULL, NULL, NULL, PM_TYPE_U64, NULL, 1,
                                NULL, NULL));
  SHOW(pmExtendFetchGroup_item(group, metric_name, NULL, "zz", &value, PM_TYPE_U64, NULL));
  fetch(1);
}

int main(int argc, char** argv) {
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 4) return 1;
  metric_name = argv[2], type = atoi(argv[3]);
  if (argc > 5) instance = strcmp(argv[4], "-") ? argv[4] : NULL, field = argv[5];
  for (i = 0; i < ROOM; ++i) {
    codes[i] = 9, statuses[i] = 8, names[i] = "seven", times[i].tv_sec = 6;
    memset(&values[i], 0x55, sizeof values[i]);
    if (type == PM_TYPE_STRING) values[i].cp = "four";
  }
  SHOW(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, argv[1]));
  extend();
  fetch(2);
  in_vain();
  SHOW(pmClearFetchGroup(group));
  show("cleared");
  SHOW(pmFetchGroup(group));
  extend();
  fetch(1);
  SHOW(pmDestroyContext(pmGetFetchGroupContext(group)));
  fetch(1);
  SHOW(pmClearFetchGroup(group));
  show("cleared");
  SHOW(pmDestroyFetchGroup(group));
  show("destroyed");
  return 0;
}
