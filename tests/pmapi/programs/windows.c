/* Time windows: -S -T -A -O of a log from 1000.5 to 9000.25, or without an end. */
#include "program.h"

static const char *start, *finish, *align, *offset;

static void coarse(const struct timeval* from, const struct timeval* to) {
  struct timeval a = {0, 0}, b = {0, 0}, o = {0, 0};
  char* message = NULL;
  int sts = pmParseTimeWindow(start, finish, align, offset, from, to, &a, &b, &o, &message);
  printf("%d %ld.%06ld %ld.%06ld %ld.%06ld\n", sts, (long)a.tv_sec, (long)a.tv_usec, (long)b.tv_sec,
         (long)b.tv_usec, (long)o.tv_sec, (long)o.tv_usec);
  if (sts != 1) {
    printf("%s", message ? message : "no message\n");
    free(message);
  }
}

static void fine(const struct timespec* from, const struct timespec* to) {
  struct timespec a = {0, 0}, b = {0, 0}, o = {0, 0};
  char* message = NULL;
  int sts = pmParseHighResTimeWindow(start, finish, align, offset, from, to, &a, &b, &o, &message);
  printf("%d %ld.%09ld %ld.%09ld %ld.%09ld\n", sts, (long)a.tv_sec, a.tv_nsec, (long)b.tv_sec,
         b.tv_nsec, (long)o.tv_sec, o.tv_nsec);
  if (sts != 1) {
    printf("%s", message ? message : "no message\n");
    free(message);
  }
}

int main(int argc, char** argv) {
  struct timeval from = {1523783760, 500000}, to = {1523791760, 250000}, never = {PM_MAX_TIME_T, 0};
  struct timespec fine_from = {1523783760, 500000001}, fine_to = {1523791760, 250000001};
  int i;
  for (i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-S") == 0) start = argv[i + 1];
    if (strcmp(argv[i], "-T") == 0) finish = argv[i + 1];
    if (strcmp(argv[i], "-A") == 0) align = argv[i + 1];
    if (strcmp(argv[i], "-O") == 0) offset = argv[i + 1];
  }
  SHOW(pmNewZone("UTC"));
  coarse(&from, &to);
  fine(&fine_from, &fine_to);
  coarse(&from, &never);
  return 0;
}
