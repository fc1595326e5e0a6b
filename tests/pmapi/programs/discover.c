/* Services in reach, by mechanisms of the words. */
#include "program.h"

int main(int argc, char** argv) {
  static const char* services[] = {PM_SERVER_SERVICE_SPEC, PM_SERVER_PROXY_SPEC,
                                   PM_SERVER_WEBAPI_SPEC, "nonsense", ""};
  char** urls;
  int i, k, n, count;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i < argc; ++i) {
    for (k = 0; k < 5; ++k) {
      urls = NULL;
      count = pmDiscoverServices(services[k], argv[i], &urls);
      printf("%s %s: %d%s%s\n", services[k], argv[i], count, count < 0 ? " " : "",
             count < 0 ? pmErrStr(count) : "");
      for (n = 0; n < count; ++n) printf("  %s\n", urls[n]);
      if (count > 0) free(urls);
    }
  }
  return 0;
}
