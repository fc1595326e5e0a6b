/* Logs of which each stream of a program has one; the second of a stream takes the place of the
 * first. What each has in the end.     two_logs FOLDER STREAMS     STREAMS: of o, e, or x for none
 */
#include "program.h"

int main(int argc, char** argv) {
  const char* stream;
  char path[400];
  int status;
  if (argc < 3) return 1;
  for (stream = argv[2]; *stream; ++stream) {
    snprintf(path, sizeof path, "%s/log%d", *stream == 'x' ? "/nonexistent" : argv[1],
             (int)(stream - argv[2]));
    pmOpenLog("two_logs", path, *stream == 'o' ? stdout : stderr, &status);
    fprintf(stdout, "out %d\n", status);
    fprintf(stderr, "error %d\n", status);
  }
  return 0;
}
