/* A source of old: the headers and names that were before PCP 4, and the Guide's way to wait. */
/* clang-format off */
#include <pcp/pmapi.h>
#include <pcp/impl.h>
#include <pcp/deprecated.h>
/* clang-format on */

extern void __pmtimevalSleep(struct timeval);

int main(int argc, char** argv) {
  struct timeval now, later, nap = {0, 20000};
  int i;
  __pmSetProgname(argv[0]);
  printf("%s\n", pmProgname);
  for (i = 1; i < argc; ++i) {
    int bits = __pmParseDebug(argv[i]);
    pmClearDebug("all");
    printf("%s %d\n", argv[i], bits);
  }
  __pmtimevalNow(&now);
  __pmtimevalSleep(nap);
  __pmtimevalNow(&later);
  printf("%d\n", __pmtimevalSub(&later, &now) >= 0.02);
  __pmtimevalInc(&now, &nap);
  __pmPrintStamp(stdout, &(struct timeval){1, 500000});
  printf(" %c %d %d\n", __pmPathSeparator(), DBG_TRACE_PDU, DBG_TRACE_DESPERATE);
  printf("%d %d\n", pmDebug, pmDebugOptions.fetch);
  __pmSetDebugBits(DBG_TRACE_FETCH | DBG_TRACE_DESPERATE);
  printf("%d %d %d %d\n", pmDebug, pmDebugOptions.pdu, pmDebugOptions.fetch,
         pmDebugOptions.desperate);
  pmClearDebug("all");
  printf("%d\n", pmDebug);
  pmSetDebug("pdu");
  printf("%d\n", pmDebug);
  return 0;
}
