/* Options of a program's own, long forms alone, one that overrides, and arguments that may lack. */
#include "program.h"

static int own(int opt, pmOptions* opts) {
  printf("override %c\n", opt);
  (void)opts;
  return opt == 's' || opt == 'T';
}

static pmLongOptions longopts[] = {PMAPI_OPTIONS_HEADER("General options"),
                                   PMOPT_ARCHIVE,
                                   PMOPT_HOST,
                                   PMOPT_SAMPLES,
                                   PMOPT_FINISH,
                                   PMOPT_INTERVAL,
                                   PMOPT_TIMEZONE,
                                   PMOPT_HOSTZONE,
                                   PMOPT_HELP,
                                   PMAPI_OPTIONS_HEADER("Reporting options"),
                                   PMAPI_OPTIONS_TEXT("They say what is shown."),
                                   {"width", 1, 'w', "N", "columns of a value"},
                                   {"colour", 2, 0, "WHEN", "colours, always or never"},
                                   {"quiet", 0, 'q', 0, "nothing but values"},
                                   {"hidden", 0, 'x', 0, NULL},
                                   PMAPI_OPTIONS_END};

int main(int argc, char** argv) {
  pmOptions opts = {.short_options = "a:h:s:T:t:Z:zw:qx?", .long_options = longopts};
  int c;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  if (argc > 1 && strcmp(argv[1], "override") == 0) opts.override = own;
  if (argc > 1 && strcmp(argv[1], "long") == 0) opts.flags |= PM_OPTFLAG_LONG_ONLY;
  if (argc > 1 && strcmp(argv[1], "posix") == 0) opts.flags |= PM_OPTFLAG_POSIX;
  if (argc > 1 && strcmp(argv[1], "multi") == 0) opts.flags |= PM_OPTFLAG_MULTI;
  if (argc > 1 && strcmp(argv[1], "mixed") == 0) opts.flags |= PM_OPTFLAG_MIXED | PM_OPTFLAG_MULTI;
  --argc;
  ++argv;
  while ((c = pmGetOptions(argc, argv, &opts)) != EOF)
    printf("option %d %s argument %s\n", c, c == 0 ? longopts[opts.index].long_opt : "",
           opts.optarg ? opts.optarg : "none");
  printf("errors %d flags %x context %d hosts %d archives %d samples %d interval %ld.%06ld\n",
         opts.errors, opts.flags & ~3, opts.context, opts.nhosts, opts.narchives, opts.samples,
         (long)opts.interval.tv_sec, (long)opts.interval.tv_usec);
  printf("finish %s zone %s %d\n", opts.finish_optarg ? opts.finish_optarg : "none",
         opts.timezone ? opts.timezone : "none", opts.tzflag);
  for (c = opts.optind; c < argc; ++c) printf("operand %s\n", argv[c]);
  if (opts.errors) pmUsageMessage(&opts);
  pmFreeOptions(&opts);
  return 0;
}
