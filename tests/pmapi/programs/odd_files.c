/* Name space files that are no plain files: devices, folders, what is empty or not there. */
#include "program.h"

static void load(const char* path) {
  SHOW(pmLoadNameSpace(path));
  pmUnloadNameSpace();
  SHOW(pmLoadASCIINameSpace(path, 0));
  pmUnloadNameSpace();
  SHOW(pmLoadASCIINameSpace(path, 1));
  pmUnloadNameSpace();
}

int main(int argc, char** argv) {
  int i;
  (void)open_context(argc, argv);
  for (i = 3; i < argc; ++i) {
    printf("--- %s\n", argv[i]);
    load(argv[i]);
    SHOW(pmGetPMNSLocation());
  }
  return 0;
}
