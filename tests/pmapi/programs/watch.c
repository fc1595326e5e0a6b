/* A live loop: fetches every tenth of a second, until a value passes a limit or rounds are over. */
#include <signal.h>

#include "program.h"

static volatile sig_atomic_t stopped;
static void stop(int signal_number) { stopped = signal_number; }

int main(int argc, char** argv) {
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  double limit = argc > 4 ? atof(argv[4]) : 0;
  struct timespec nap = {0, 100000000};
  int round, i, sts, over = 0;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  signal(SIGALRM, stop);
  alarm(20);
  pmid = metric(argv[3]);
  SHOW(pmLookupDesc(pmid, &desc));
  for (round = 0; round < 4 && !stopped && !over; ++round) {
    if ((sts = pmFetch(1, &pmid, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      if (sts == PM_ERR_IPC || sts == PM_ERR_NOTCONN) SHOW(pmReconnectContext(pmWhichContext()));
      nanosleep(&nap, NULL);
      continue;
    }
    printf("%d changes, %d values\n", sts, result->vset[0]->numval);
    for (i = 0; i < result->vset[0]->numval; ++i) {
      pmAtomValue atom;
      if (pmExtractValue(result->vset[0]->valfmt, &result->vset[0]->vlist[i], desc.type, &atom,
                         PM_TYPE_DOUBLE) < 0)
        continue;
      printf("  %d %g\n", result->vset[0]->vlist[i].inst, atom.d);
      over |= atom.d > limit;
    }
    pmFreeResult(result);
    nanosleep(&nap, NULL);
  }
  printf("%s\n", stopped ? "stopped" : over ? "over the limit" : "all rounds");
  return 0;
}
