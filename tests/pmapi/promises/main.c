/* Promises of the client library.
 *
 *   pmapi_promises ARCHIVES HOST:PORT SOCKET FOLDER [PART…]
 *
 * tests/pmapi/promises/run starts it. */
#include "parts.h"

int main(int argc, char** argv) {
#define LISTED(name) {#name, promises_##name},
  static const struct part parts[] = {PROMISED_PARTS(LISTED)};
#undef LISTED
  return keep_promises(argc, argv, parts, sizeof parts / sizeof parts[0]);
}
