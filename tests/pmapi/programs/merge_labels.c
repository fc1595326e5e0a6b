/* Labels of the program's own, given as words: merged, later ones count more. */
#include "program.h"

int main(int argc, char** argv) {
  char text[1000] = "";
  int i;
  SHOW(pmMergeLabels(argv + 1, argc - 1, text, sizeof text));
  printf("%s\n", text);
  for (i = 1; i < argc; ++i) {
    int sts = pmMergeLabels(argv + i, 1, text, sizeof text);
    printf("%s: %d %s\n", argv[i], sts, sts < 0 ? pmErrStr(sts) : sts > 0 ? text : "");
  }
  SHOW(pmMergeLabels(argv + 1, argc - 1, text, 12));
  SHOW(pmMergeLabels(argv + 1, -1, text, sizeof text));
  return 0;
}
