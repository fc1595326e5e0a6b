/* Intervals as users write them: each word, in both resolutions. */
#include "program.h"

int main(int argc, char** argv) {
  int i;
  for (i = 1; i < argc; ++i) {
    struct timeval coarse = {-7, -7};
    struct timespec fine = {-7, -7};
    char* message = NULL;
    int sts = pmParseInterval(argv[i], &coarse, &message);
    if (sts < 0) {
      printf("<%s> %d\n%s", argv[i], sts, message);
      free(message);
    } else {
      printf("<%s> %ld.%06ld %g\n", argv[i], (long)coarse.tv_sec, (long)coarse.tv_usec,
             pmtimevalToReal(&coarse));
    }
    sts = pmParseHighResInterval(argv[i], &fine, &message);
    if (sts < 0) {
      printf("%d\n%s", sts, message);
      free(message);
    } else {
      printf("%ld.%09ld\n", (long)fine.tv_sec, fine.tv_nsec);
    }
  }
  return 0;
}
