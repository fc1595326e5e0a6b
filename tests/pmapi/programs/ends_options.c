/* Options that a program adds itself, as PCP's bindings do, and where parsing has ended before. */
#include "program.h"

void __pmAddOptArchive(pmOptions*, char*);
void __pmAddOptHost(pmOptions*, char*);
void __pmEndOptions(pmOptions*);

static void show(const pmOptions* opts) {
  printf("flags %#x errors %d context %d hosts %d archives %d\n", opts->flags, opts->errors,
         opts->context, opts->nhosts, opts->narchives);
}

int main(void) {
  const int flags[] = {0, PM_OPTFLAG_INIT, PM_OPTFLAG_DONE, PM_OPTFLAG_INIT | PM_OPTFLAG_DONE};
  size_t i;
  int origin;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 0; i < sizeof flags / sizeof *flags; ++i) {
    for (origin = 0; origin < 2; ++origin) {
      pmOptions opts = {.flags = flags[i], .origin_optarg = origin ? "3" : NULL};
      if (!origin) __pmAddOptArchive(&opts, "one");
      __pmEndOptions(&opts);
      show(&opts);
      __pmAddOptHost(&opts, "two");
      __pmEndOptions(&opts);
      show(&opts);
      pmflush();
      pmFreeOptions(&opts);
    }
  }
  return 0;
}
