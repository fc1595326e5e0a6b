/* A parent with a context, and processes that it forks: each goes on from where the parent was. */
#include <sys/wait.h>

#include "program.h"

static void fetch(const char* who, pmID pmid) {
  pmResult* result;
  int sts = pmFetch(1, &pmid, &result);
  if (sts < 0) {
    printf("%s: %s\n", who, pmErrStr(sts));
    return;
  }
  printf("%s: ", who);
  show_result(result);
  pmFreeResult(result);
}

int main(int argc, char** argv) {
  pmID pmid;
  int i, status;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  pmid = metric(argv[3]);
  fetch("parent", pmid);
  for (i = 0; i < 3; ++i) {
    pid_t child = fork();
    if (child == 0) {
      fetch("child", pmid);
      SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, argv[2]));
      fetch("child, anew", metric(argv[3]));
      _exit(i);
    }
    waitpid(child, &status, 0);
    printf("ended with %d\n", WEXITSTATUS(status));
    if (getenv("AND_PARENT")) fetch("parent", pmid);
  }
  return 0;
}
