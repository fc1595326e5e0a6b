/* Flags of debugging: each word sets, or clears with a - in front. */
#include "program.h"

#define FLAG(name) (void)(pmDebugOptions.name && printf(" %s=%d", #name, pmDebugOptions.name))

static void show(void) {
  const int* all = (const int*)&pmDebugOptions;
  size_t i, count = sizeof pmDebugOptions / sizeof(int);
  for (i = 0; i < count; ++i)
    if (all[i]) printf(" #%zu", i);
  FLAG(pdu), FLAG(fetch), FLAG(profile), FLAG(value), FLAG(context), FLAG(indom), FLAG(log);
  FLAG(logmeta), FLAG(appl0), FLAG(appl1), FLAG(appl2), FLAG(appl9), FLAG(pmns), FLAG(derive);
  FLAG(interp), FLAG(config), FLAG(labels), FLAG(desperate), FLAG(qa), FLAG(tls), FLAG(attr);
  printf("\n");
}

int main(int argc, char** argv) {
  int i;
  for (i = 1; i < argc; ++i) {
    int sts = argv[i][0] == '-' ? pmClearDebug(argv[i] + 1) : pmSetDebug(argv[i]);
    printf("%s %d", argv[i], sts);
    show();
  }
  return 0;
}
