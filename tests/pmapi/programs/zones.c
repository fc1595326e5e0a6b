/* Zones: of the process, of words, of a context; what a time is called in each of them. */
#include "program.h"

static const time_t times[] = {0, 1, 86399, 951782400, 1523783760, 2147483647, 4102444800};

static void show_times(void) {
  char text[30], *zone = NULL;
  struct tm broken;
  size_t i;
  int which = pmWhichZone(&zone);
  printf("zone %d %s\n", which, which >= 0 ? zone : pmErrStr(which));
  for (i = 0; i < sizeof times / sizeof times[0]; ++i) {
    struct timeval coarse = {times[i], 123456};
    struct timespec fine = {times[i], 123456789};
    printf("  %s", pmCtime(&times[i], text));
    if (pmLocaltime(&times[i], &broken))
      printf("  %d-%02d-%02d %02d:%02d:%02d %s %ld %d %d ", broken.tm_year + 1900,
             broken.tm_mon + 1, broken.tm_mday, broken.tm_hour, broken.tm_min, broken.tm_sec,
             broken.tm_zone, broken.tm_gmtoff, broken.tm_wday, broken.tm_isdst);
    pmPrintStamp(stdout, &coarse);
    putchar(' ');
    pmPrintHighResStamp(stdout, &fine);
    putchar('\n');
  }
}

int main(int argc, char** argv) {
  int handles[20], count = 0, i;
  char* zone;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmWhichZone(&zone));
  SHOW(pmUseZone(0));
  SHOW(pmNewContextZone());
  show_times();
  for (i = 2; i < argc && count < 20; ++i) {
    handles[count] = pmNewZone(argv[i]);
    printf("pmNewZone %s: %d\n", argv[i], handles[count]);
    show_times();
    ++count;
  }
  if (argc > 1 && strcmp(argv[1], "none") != 0) {
    SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, argv[1]));
    SHOW(pmNewContextZone());
    show_times();
  }
  for (i = count; i-- > 0;) {
    SHOW(pmUseZone(handles[i]));
    SHOW(pmWhichZone(&zone));
    printf("%s\n", zone);
  }
  SHOW(pmUseZone(-1));
  SHOW(pmUseZone(1000));
  printf("TZ=%s\n", getenv("TZ") ? getenv("TZ") : "none");
  return 0;
}
