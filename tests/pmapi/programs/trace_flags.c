/* Debug flags by name, number and list: which are set then. */
#include "program.h"

static void show(void) {
  const int* flags = (const int*)&pmDebugOptions;
  size_t i;
  for (i = 0; i < sizeof pmDebugOptions / sizeof *flags; ++i)
    if (flags[i] != 0) printf(" %zu=%d", i, flags[i]);
  printf("\n");
}

int main(int argc, char** argv) {
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i < argc; ++i) {
    int sts = pmSetDebug(argv[i]);
    printf("set <%s> %s:", argv[i], sts < 0 ? pmErrStr(sts) : "");
    show();
    sts = pmClearDebug(i % 2 == 0 ? "fetch,pdu" : argv[i]);
    printf("clear %s:", sts < 0 ? pmErrStr(sts) : "");
    show();
  }
  SHOW(pmSetDebug("all"));
  show();
  SHOW(pmClearDebug("all"));
  show();
  return 0;
}
