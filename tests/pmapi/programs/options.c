/* Options: a program that shows what it was given. */
#include "program.h"
static int ov(int c, pmOptions* o) { return getenv("OV") && c == getenv("OV")[0]; }
static pmLongOptions lo[] = {PMAPI_GENERAL_OPTIONS,
                             PMOPT_LOCALPMDA,
                             PMOPT_ARCHIVE_LIST,
                             PMOPT_HOST_LIST,
                             PMOPT_CONTAINER,
                             PMOPT_DERIVED,
                             PMAPI_OPTIONS_HEADER("Mine"),
                             {"foo", 1, 'f', "X", "foo things"},
                             {"only", 0, 0, 0, "a long one"},
                             {"opt", 2, 'o', "Y", "may have"},
                             {"hidden", 0, 'q', 0, NULL},
                             PMAPI_OPTIONS_TEXT("free text"),
                             {"averyveryverylongname", 1, 0, "ARGUMENT", "text"},
                             PMAPI_OPTIONS_END};
static pmOptions o = {.short_options = PMAPI_OPTIONS "f:Lo::q",
                      .long_options = lo,
                      .short_usage = "[options] [x]",
                      .override = ov};
/* A first word "in-order" or "operands-end" asks for the order of options and operands. */
static int asks(char** argv, const char* word, const char* letters) {
  if (argv[1] == NULL || strcmp(argv[1], word) != 0) return 0;
  o.short_options = letters;
  argv[1] = argv[0];
  return 1;
}
int main(int argc, char** argv) {
  int c;
  if (asks(argv, "in-order", "-" PMAPI_OPTIONS "f:Lo::q") ||
      asks(argv, "operands-end", "+" PMAPI_OPTIONS "f:Lo::q")) {
    --argc;
    ++argv;
  }
  if (getenv("FL")) o.flags = strtol(getenv("FL"), 0, 0);
  while ((c = pmGetOptions(argc, argv, &o)) != EOF)
    printf("opt %d '%c' index %d optarg %s optopt %d optind %d flags %x errors %d\n", c,
           c > 31 ? c : ' ', o.index, o.optarg ? o.optarg : "-", o.optopt, o.optind, o.flags,
           o.errors);
  printf("flags %x errors %d ctx %d nh %d na %d", o.flags, o.errors, o.context, o.nhosts,
         o.narchives);
  for (int i = 0; i < o.nhosts; i++) printf(" h=%s", o.hosts[i]);
  for (int i = 0; i < o.narchives; i++) printf(" a=%s", o.archives[i]);
  printf(
      "\n L%d g%d tz%d ns%d gp%d samples %d interval %ld.%ld optind %d guiport %s tz %s S %s T %s "
      "A %s O %s prog %s\n",
      o.Lflag, o.guiflag, o.tzflag, o.nsflag, o.guiport, o.samples, (long)o.interval.tv_sec,
      (long)o.interval.tv_usec, o.optind, o.guiport_optarg, o.timezone, o.start_optarg,
      o.finish_optarg, o.align_optarg, o.origin_optarg, pmGetProgname());
  for (int i = o.optind; i < argc; i++) printf(" arg %s", argv[i]);
  puts("");
  fflush(stdout);
  if (o.errors || (o.flags & PM_OPTFLAG_EXIT)) {
    pmUsageMessage(&o);
    return 1;
  }
  return 0;
}
