/* Options and a table of them of one's own, with texts between; parsed twice, and all that came
 * out. */
#include "program.h"

static pmLongOptions table[] = {
    PMAPI_OPTIONS_HEADER("Source options"),
    PMOPT_HOST,
    PMOPT_ARCHIVE,
    PMOPT_ARCHIVE_LIST,
    PMOPT_ARCHIVE_FOLIO,
    PMOPT_HOST_LIST,
    PMOPT_HOSTSFILE,
    PMOPT_LOCALPMDA,
    PMOPT_SPECLOCAL,
    PMOPT_CONTAINER,
    PMOPT_DERIVED,
    PMOPT_NAMESPACE,
    PMOPT_UNIQNAMES,
    PMAPI_OPTIONS_HEADER("Time options"),
    PMOPT_ALIGN,
    PMOPT_ORIGIN,
    PMOPT_START,
    PMOPT_FINISH,
    PMOPT_SAMPLES,
    PMOPT_INTERVAL,
    PMOPT_TIMEZONE,
    PMOPT_HOSTZONE,
    PMAPI_OPTIONS_TEXT("  Times are as PCPIntro(1) has them,"),
    PMAPI_OPTIONS_TEXT(""),
    PMAPI_OPTIONS_HEADER("Shelf options"),
    {"shelf", 1, 'x', "NAME", "which shelf"},
    {"a-very-long-option-name-indeed", 1, 'y', "AN-EVEN-LONGER-ARGUMENT", "explained beside it"},
    {"bare", 0, 'b', NULL, NULL},
    {"hidden", 0, 0, NULL, NULL},
    {"maybe", 2, 'm', "WORD", "with or without a word"},
    {NULL, 0, 'q', NULL, "short alone"},
    PMOPT_DEBUG,
    PMOPT_VERSION,
    PMOPT_HELP,
    PMAPI_OPTIONS_END};

static void put_time(const char* what, struct timeval at) {
  printf(" %s %ld.%06ld", what, (long)at.tv_sec, (long)at.tv_usec);
}

static void out(const pmOptions* opts, int argc, char** argv) {
  int i;
  printf("errors %d flags %x context %d optind %d", opts->errors, (unsigned)opts->flags,
         opts->context, opts->optind);
  for (i = 0; i < opts->nhosts; ++i) printf(" host <%s>", opts->hosts[i]);
  for (i = 0; i < opts->narchives; ++i) printf(" archive <%s>", opts->archives[i]);
  printf("\nA %s S %s T %s O %s p %s Z %s samples %d",
         opts->align_optarg ? opts->align_optarg : "-",
         opts->start_optarg ? opts->start_optarg : "-",
         opts->finish_optarg ? opts->finish_optarg : "-",
         opts->origin_optarg ? opts->origin_optarg : "-",
         opts->guiport_optarg ? opts->guiport_optarg : "-", opts->timezone ? opts->timezone : "-",
         opts->samples);
  put_time("interval", opts->interval);
  printf(" gui %u tz %u ns %u L %u\n", opts->guiflag, opts->tzflag, opts->nsflag, opts->Lflag);
  for (i = opts->optind; i < argc; ++i) printf("operand <%s>\n", argv[i]);
}

static int parse(int argc, char** argv, int flags) {
  static pmOptions empty;
  pmOptions opts = empty;
  int c, sts = 0;
  opts.flags = flags;
  opts.short_options = "A:a:bD:gh:H:K:Lm::n:N:O:p:qS:s:T:t:Vx:y:Z:z?";
  opts.long_options = table;
  opts.short_usage = "[options] [operand ...]";
  while ((c = pmGetOptions(argc, argv, &opts)) != EOF) {
    printf("option %d %c index %d <%s>\n", c, c > ' ' && c < 127 ? c : '.', opts.index,
           opts.optarg ? opts.optarg : "-");
    if (c == 'x' && strcmp(opts.optarg, "bad") == 0) {
      pmprintf("%s: no such shelf: %s\n", pmGetProgname(), opts.optarg);
      opts.errors++;
    }
  }
  out(&opts, argc, argv);
  if (opts.errors || (opts.flags & PM_OPTFLAG_EXIT)) {
    sts = !(opts.flags & PM_OPTFLAG_EXIT);
    pmUsageMessage(&opts);
  }
  pmFreeOptions(&opts);
  return sts;
}

int main(int argc, char** argv) {
  const char* flags = getenv("FLAGS");
  int first, second;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  first = parse(argc, argv, flags ? (int)strtol(flags, NULL, 0) : 0);
  second = parse(argc, argv, PM_OPTFLAG_MULTI | PM_OPTFLAG_MIXED | PM_OPTFLAG_BOUNDARIES);
  printf("%d %d\n", first, second);
  return first;
}
