/* Event arrays, queues and clients: codes, bytes, texts. Its output on PCP 6.0.3 is beside it. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <string.h>
#define P(e)                                                                            \
  do {                                                                                  \
    int s_ = (int)(e);                                                                  \
    printf("%-60s -> %d%s%s\n", #e, s_, s_ < 0 ? " " : "", s_ < 0 ? pmErrStr(s_) : ""); \
  } while (0)
static void dump(void* p) {
  unsigned char* b = p;
  if (!p) {
    printf("null\n");
    return;
  }
  unsigned len = (*(unsigned*)p) & 0xffffff;
  printf("len %u:", len);
  for (unsigned i = 0; i < len; i++) printf("%s%02x", i % 4 ? "" : " ", b[i]);
  printf("\n");
}
static int dec(int a, void* b, size_t n, struct timeval* t, void* d) {
  printf(" decode %.*s\n", (int)n, (char*)b);
  pmdaEventAddRecord(a, t, 1);
  return 1;
}

static void fill_arrays(void) {
  struct timeval tv = {1000000000, 123456};
  struct timespec ts = {1000000000, 123456789};
  pmAtomValue v;
  int a, h;
  P(a = pmdaEventNewArray());
  P(h = pmdaEventNewHighResArray());
  P(pmdaEventNewArray());
  P(pmdaEventNewHighResArray());
  P(pmdaEventReleaseArray(2));
  P(pmdaEventNewArray());
  P(pmdaEventReleaseArray(7));
  P(pmdaEventResetArray(-1));
  P(pmdaEventAddRecord(99, &tv, 0));
  P(pmdaEventAddRecord(a, &tv, PM_EVENT_FLAG_MISSED));
  dump(pmdaEventGetAddr(a));
  dump(pmdaEventGetAddr(99));
  P(pmdaEventAddRecord(a, &tv, 1));
  v.ul = 77;
  P(pmdaEventAddParam(a, pmID_build(249, 0, 0), PM_TYPE_U32, &v));
  v.cp = "abcd";
  P(pmdaEventAddParam(a, 1, PM_TYPE_STRING, &v));
  v.d = 1.5;
  P(pmdaEventAddParam(a, 2, PM_TYPE_DOUBLE, &v));
  P(pmdaEventAddParam(a, 2, PM_TYPE_EVENT, &v));
  P(pmdaEventAddParam(a, 2, 99, &v));
  P(pmdaEventAddParam(a, 2, PM_TYPE_AGGREGATE_STATIC, &v));
  P(pmdaEventAddParam(a, 2, PM_TYPE_NOSUPPORT, &v));
  P(pmdaEventAddMissedRecord(a, &tv, 13));
  dump(pmdaEventGetAddr(a));
  P(pmdaEventResetArray(a));
  dump(pmdaEventGetAddr(a));
  P(pmdaEventAddHighResRecord(h, &ts, 1));
  v.l = 5;
  P(pmdaEventAddHighResParam(h, 9, PM_TYPE_32, &v));
  P(pmdaEventAddHighResMissedRecord(h, &ts, 5));
  dump(pmdaEventGetHighResAddr(h));
}

static void ask_queues(void) {
  struct timeval tv = {1000000000, 123456};
  pmAtomValue av;
  P(pmdaEventQueueHandle("x"));
  P(pmdaEventNewQueue("x", 100));
  P(pmdaEventQueueHandle("x"));
  P(pmdaEventNewQueue(NULL, 100));
  P(pmdaEventNewQueue("y", 0));
  P(pmdaEventNewActiveQueue("act", 100, 2));
  P(pmdaEventQueueCounter(0, &av));
  P(pmdaEventQueueCounter(9, &av));
  P(pmdaEventQueueClients(1, &av));
  printf("%u\n", av.ul);
  P(pmdaEventQueueClients(2, &av));
  printf("%u\n", av.ul);
  P(pmdaEventQueueRecords(0, &av, 77, dec, 0));
  P(pmdaEventQueueRecords(9, &av, 77, dec, 0));
  P(pmdaEventNewClient(5));
  P(pmdaEventNewClient(5));
  P(pmdaEventNewClient(6));
  P(pmdaEventClients(&av));
  printf("%u\n", av.ul);
  P(pmdaEventEndClient(5));
  P(pmdaEventNewClient(7));
  P(pmdaEventSetFilter(99, 0, NULL, NULL, NULL));
  P(pmdaEventSetFilter(7, 99, NULL, NULL, NULL));
  P(pmdaEventSetAccess(99, 0, 1));
  P(pmdaEventSetAccess(7, 99, 1));
  P(pmdaEventQueueAppend(99, "x", 1, &tv));
  P(pmdaEventQueueAppend(0, "x", 1, &tv));
  P(pmdaEventQueueMemory(0, &av));
  P(pmdaEventQueueShutdown(0));
  P(pmdaEventQueueHandle("x"));
}

static void print_bytes(void) {
  char buf[64];
  memset(buf, 'Z', 64);
  char* r = __pmdaEventPrint("ab\001c\377 d", 7, buf, 64);
  printf("print same=%d [%s]\n", r == buf, buf);
  r = __pmdaEventPrint("abcdefghij", 10, buf, 6);
  printf("[%s]\n", buf);
  r = __pmdaEventPrint("ab\0cd", 5, buf, 20);
  printf("[%s]\n", buf);
  r = __pmdaEventPrint("abcdefghij", 10, buf, 11);
  printf("[%s]\n", buf);
  r = __pmdaEventPrint("abcdefghij", 10, buf, 10);
  printf("[%s]\n", buf);
}

int main(void) {
  fill_arrays();
  ask_queues();
  print_bytes();
  return 0;
}
