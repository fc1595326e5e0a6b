/* Hosts of words, as good and bad specifications: opened, asked, connected again, closed. */
#include "program.h"

static void ask(const char* host) {
  char name[200];
  int context = pmNewContext(PM_CONTEXT_HOST, host);
  pmID pmid;
  pmResult* result;
  int sts;
  pmflush();
  printf("%s: %s\n", host, context < 0 ? pmErrStr(context) : "open");
  if (context < 0) return;
  printf("  %s %d\n", pmGetContextHostName(context), pmGetHostName(context, name, sizeof name));
  SHOW(pmGetPMNSLocation());
  pmid = metric("sample.control");
  sts = pmFetch(1, &pmid, &result);
  printf("  pmFetch %d\n", sts);
  if (sts >= 0) pmFreeResult(result);
  sts = pmReconnectContext(context);
  printf("  pmReconnectContext %d\n", sts == context);
  sts = pmFetch(1, &pmid, &result);
  printf("  pmFetch %d\n", sts);
  if (sts >= 0) pmFreeResult(result);
  SHOW(pmSetMode(PM_MODE_LIVE, NULL, 0));
  SHOW(pmSetMode(PM_MODE_INTERP, NULL, 0));
  SHOW(pmDestroyContext(context));
  SHOW(pmReconnectContext(context));
  SHOW(pmFetch(1, &pmid, &result));
}

int main(int argc, char** argv) {
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  setvbuf(stderr, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  for (i = 1; i < argc; ++i) ask(argv[i]);
  SHOW(pmWhichContext());
  return 0;
}
