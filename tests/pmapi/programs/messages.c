/* Messages that are collected and written, and those with a time in front. */
#include "program.h"

int main(int argc, char** argv) {
  int i;
  char large[5000];
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmflush());
  pmSetProgname(argc > 1 ? argv[1] : "some/where/tool");
  printf("%s\n", pmGetProgname());
  SHOW(pmprintf("%s: %d of %s\n", "one", 2, "three"));
  SHOW(pmprintf("%s", ""));
  SHOW(pmprintf("no end of line"));
  SHOW(pmflush());
  SHOW(pmflush());
  for (i = 0; i < 3; ++i) pmprintf("line %d\n", i);
  memset(large, 'y', sizeof large);
  large[sizeof large - 1] = '\0';
  SHOW(pmprintf("%s\n", large));
  SHOW(pmflush());
  for (i = LOG_EMERG; i <= LOG_DEBUG + 1; ++i) pmNotifyErr(i, "of level %d", i);
  pmNotifyErr(LOG_INFO, "with an end\n");
  pmNotifyErr(LOG_WARNING, "%s", "");
  pmSyslog(0);
  pmNotifyErr(LOG_ERR, "two\nlines");
  pmSetProgname(NULL);
  printf("%s\n", pmGetProgname());
  pmSetProgname("");
  printf("<%s>\n", pmGetProgname());
  pmSetProgname("ends/in/");
  printf("<%s>\n", pmGetProgname());
  errno = ENOMEM;
  pmNoMem("messages", 123, PM_RECOV_ERR);
  pmprintf("is lost at the end?\n");
  if (argc > 2) pmNoMem("messages", 456, PM_FATAL_ERR);
  return 0;
}
