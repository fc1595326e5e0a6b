/* The shared memory between txmon, which shows it, and txrecord, which writes to it. */
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
