/* A log of a daemon: where its messages go, and how they begin and end. */
#include "program.h"

int main(int argc, char** argv) {
  FILE* log;
  char line[200], path[300];
  int sts = 77;
  if (argc < 2) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname("log_file");
  pmsprintf(path, sizeof path, "%s/log_file.log", argv[1]);
  log = pmOpenLog("someone", "nonexistent/folder/log", stderr, &sts);
  printf("%d %d\n", log == stderr, sts);
  log = pmOpenLog("someone", path, stderr, &sts);
  printf("%d %d\n", log == stderr, sts);
  fprintf(stderr, "hello\n");
  pmNotifyErr(LOG_INFO, "told");
  fflush(stderr);
  if ((log = fopen(path, "r")) != NULL) {
    while (fgets(line, sizeof line, log)) printf("| %s", line);
    fclose(log);
  }
  /* What is written at the end goes to the log, which the caller removes. */
  return 0;
}
