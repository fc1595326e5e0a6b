/* Configuration: words are names of it. */
#include "program.h"

int main(int argc, char** argv) {
  static const char* features[] = {"pmapi_version",
                                   "multi_threaded",
                                   "ipv6",
                                   "unix_domain_sockets",
                                   "no_such_feature",
                                   "v3_archives",
                                   "multi_archive_contexts",
                                   "service_discovery",
                                   "compress_suffixes",
                                   "pcp_version",
                                   "fault_injection",
                                   "lock_asserts",
                                   "lock_debug",

                                   "archive_features",
                                   "lzma_decompress",
                                   "transparent_decompress",
                                   "y2038_safe",
                                   ""};
  size_t k;
  int i;
  char* user = NULL;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 1; i < argc; ++i) {
    const char* optional = pmGetOptionalConfig(argv[i]);
    printf("%s %s", argv[i], optional ? optional : "NULL");
    printf(" %s", pmGetConfig(argv[i]));
    printf(" %s\n", getenv(argv[i]) ? getenv(argv[i]) : "NULL");
  }
  for (k = 0; k < sizeof features / sizeof features[0]; ++k) {
    const char* value = pmGetAPIConfig(features[k]);
    printf("%s %s\n", features[k], value ? value : "NULL");
  }
  printf("%x %x %c\n", (unsigned)pmGetVersion(), PM_VERSION_CURRENT, pmPathSeparator());
  SHOW(pmGetUsername(&user));
  printf("%s\n", user);
  return 0;
}
