/* What every number means, in rooms of all sizes. */
#include "program.h"

int main(void) {
  int code;
  size_t bytes;
  for (code = 2; code >= -150; --code) printf("%d %s\n", code, pmErrStr(code));
  for (code = PM_ERR_BASE - 3; code < PM_ERR_BASE + 130; ++code) {
    char room[PM_MAXERRMSGLEN];
    printf("%d %s\n", -code, pmErrStr_r(-code, room, sizeof room));
  }
  for (bytes = 1; bytes < 40; bytes += 6) {
    char room[PM_MAXERRMSGLEN] = "";
    char* const found = pmErrStr_r(PM_ERR_PMID, room, (int)bytes);
    printf("%zu %d <%s>\n", bytes, found == room, room);
  }
  return 0;
}
