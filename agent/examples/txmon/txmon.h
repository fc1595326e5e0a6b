/* The shared memory between txmon, which shows it, and txrecord, which writes to it.
 *
 *   offset 0            txmon_control: the level, how many types there are, where each of them is
 *   index[0]            txmon_stat of the first type, on a cache line of its own
 *   index[1]            txmon_stat of the second
 *   ...
 *
 * txmon makes it under a key that both know, and removes it when it ends. A program that records
 * attaches to it and finds its type:
 *
 *   txmon_control *control = shmat(shmget(TXMON_KEY, 0, 0), NULL, 0);
 *   for (i = 0; i < control->n_tx; i++)
 *     if (strcmp(TXMON_STAT(control, i)->type, "login") == 0) ...
 *
 * Counts are added to with atomic operations; times are not, and may lose one among many. */
#ifndef TXMON_H
#define TXMON_H

#define TXMON_KEY ((key_t)0xdeadbeef)
#define TXMON_TYPE_BYTES 20 /* with the NUL */
#define TXMON_LINE 32       /* each type begins on a cache line of its own */
enum txmon_level { TXMON_OFF, TXMON_COUNTS, TXMON_TIMES };

typedef struct {
  int level;
  int n_tx;
  int index[1]; /* n_tx of them: where in the segment each type is, in bytes */
} txmon_control;

typedef struct {
  char type[TXMON_TYPE_BYTES];
  unsigned int reset_count; /* the count at the last reset */
  unsigned int count;
  float max_time; /* below 0: none since the last reset */
  double sum_time;
} txmon_stat;

#define TXMON_STAT(control, i) ((txmon_stat*)((char*)(control) + (control)->index[i]))

#endif
