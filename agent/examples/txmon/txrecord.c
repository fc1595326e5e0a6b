/* txrecord: records transactions for txmon.
 *
 *   txrecord TYPE SECONDS [TYPE SECONDS ...]
 *   txrecord -l */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/types.h>

#include <txmon.h>

static txmon_stat* find(txmon_control* control, const char* type) {
  int i;
  for (i = 0; i < control->n_tx; i++) {
    txmon_stat* stat = TXMON_STAT(control, i);
    if (strncmp(stat->type, type, TXMON_TYPE_BYTES - 1) == 0) return stat;
  }
  return NULL;
}

static void list(txmon_control* control, int segment) {
  int i;
  printf("txmon shared memory segment summary\nshmid: %d level: %d types: %d\n", segment,
         control->level, control->n_tx);
  printf("%-20s %10s %10s %12s %12s\n", "type", "count", "reset", "max_time", "sum_time");
  for (i = 0; i < control->n_tx; i++) {
    const txmon_stat* stat = TXMON_STAT(control, i);
    printf("%-20s %10u %10u %12.3f %12.3f\n", stat->type, stat->count, stat->reset_count,
           (double)stat->max_time, stat->sum_time);
  }
}

static void record(txmon_control* control, const char* type, const char* text) {
  char* end;
  const double seconds = strtod(text, &end);
  txmon_stat* stat = find(control, type);
  if (stat == NULL) {
    fprintf(stderr, "Unknown tx type \"%s\" ... skipped\n", type);
    return;
  }
  if (*end != '\0' || end == text || seconds < 0) {
    fprintf(stderr, "Time value (%s) for tx type \"%s\" is bogus ... skipped\n", text, type);
    return;
  }
  __atomic_fetch_add(&stat->count, 1, __ATOMIC_RELAXED);
  if (control->level < TXMON_TIMES) return;
  if (seconds > (double)stat->max_time) stat->max_time = (float)seconds;
  stat->sum_time += seconds;
}

int main(int argc, char** argv) {
  const int segment = shmget(TXMON_KEY, 0, 0);
  txmon_control* control = segment < 0 ? (void*)-1 : shmat(segment, NULL, 0);
  int i;

  if (argc < 2) {
    fprintf(stderr, "Usage: txrecord tx_type time [tx_type time ...]\n       txrecord -l\n");
    return 1;
  }
  if (control == (void*)-1) {
    fprintf(stderr, "Cannot attach to shm segment, shmid: %d: %s\n", segment, strerror(errno));
    fprintf(stderr, "Is the txmon PMDA configured and running?\n");
    return 1;
  }
  if (strcmp(argv[1], "-l") == 0) {
    list(control, segment);
    return 0;
  }
  if (control->level == TXMON_OFF) {
    fprintf(stderr, "Stats collection disabled\n");
    return 1;
  }
  for (i = 1; i + 1 < argc; i += 2) record(control, argv[i], argv[i + 1]);
  if (i < argc) fprintf(stderr, "Missing time for tx type \"%s\"?\n", argv[i]);
  return 0;
}
