/* Sums and differences of times, in microseconds and nanoseconds. */
#include "program.h"

static const double reals[] = {0,     1,   0.5,        1.999999, 1.9999999,      1.9999999999, -1.5,
                               -0.25, 1e9, 1e9 + 0.75, 123.456,  2147483648.125, -1e6 - 0.5};
enum { COUNT = sizeof reals / sizeof reals[0] };

static void coarse(double x, double y) {
  struct timeval a, b, sum;
  pmtimevalFromReal(x, &a);
  pmtimevalFromReal(y, &b);
  printf("%ld.%06ld %.17g %.17g %.17g", (long)a.tv_sec, (long)a.tv_usec, pmtimevalAdd(&a, &b),
         pmtimevalSub(&a, &b), pmtimevalToReal(&a));
  sum = a;
  pmtimevalInc(&sum, &b);
  printf(" +%ld.%06ld", (long)sum.tv_sec, (long)sum.tv_usec);
  sum = a;
  pmtimevalDec(&sum, &b);
  printf(" -%ld.%06ld\n", (long)sum.tv_sec, (long)sum.tv_usec);
}

static void fine(double x, double y) {
  struct timespec a, b, sum;
  pmtimespecFromReal(x, &a);
  pmtimespecFromReal(y, &b);
  printf("%ld.%09ld %.17g %.17g %.17g", (long)a.tv_sec, a.tv_nsec, pmtimespecAdd(&a, &b),
         pmtimespecSub(&a, &b), pmtimespecToReal(&a));
  sum = a;
  pmtimespecInc(&sum, &b);
  printf(" +%ld.%09ld", (long)sum.tv_sec, sum.tv_nsec);
  sum = a;
  pmtimespecDec(&sum, &b);
  printf(" -%ld.%09ld\n", (long)sum.tv_sec, sum.tv_nsec);
}

int main(void) {
  struct timeval now, again;
  struct timespec fine_now;
  int i, k;
  for (i = 0; i < COUNT; ++i) {
    for (k = 0; k < COUNT; ++k) {
      coarse(reals[i], reals[k]);
      fine(reals[i], reals[k]);
    }
  }
  pmtimevalNow(&now);
  SHOW(pmtimespecNow(&fine_now));
  pmtimevalNow(&again);
  printf("%d %d\n", pmtimevalSub(&again, &now) >= 0, fine_now.tv_sec - now.tv_sec <= 1);
  printf("%d\n", llabs((long long)now.tv_sec - (long long)time(NULL)) <= 1);
  return 0;
}
