/* Who the process is: it becomes a user, or ends with a message. */
#include "program.h"

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname("identity");
  SHOW(pmSetProcessIdentity(argc > 1 ? argv[1] : "root"));
  printf("%d %d\n", (int)getuid(), (int)getgid());
  return 0;
}
