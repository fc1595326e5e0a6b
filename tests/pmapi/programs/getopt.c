/* The parser of options alone, with a table and letters of the program's own. */
#include "program.h"

static pmLongOptions table[] = {{"alpha", 0, 'a', NULL, "first"},
                                {"alphabet", 1, 'b', "X", "second"},
                                {"beta", 2, 0, "Y", "third"},
                                {"version", 0, 'V', NULL, "fourth"},
                                PMAPI_OPTIONS_END};

int main(int argc, char** argv) {
  pmOptions opts = {.short_options = "ab:c::V", .long_options = table};
  int c, i;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  if (getenv("LETTERS")) opts.short_options = getenv("LETTERS");
  if (getenv("FLAGS")) opts.flags = (int)strtol(getenv("FLAGS"), NULL, 0);
  if (getenv("OPTERR")) opts.opterr = atoi(getenv("OPTERR"));
  while ((c = pmgetopt_r(argc, argv, &opts)) != EOF) {
    printf("%d index %d optind %d optopt %d %s errors %d\n", c, opts.index, opts.optind,
           opts.optopt, opts.optarg ? opts.optarg : "-", opts.errors);
    fflush(stdout);
  }
  pmflush();
  printf("optind %d errors %d flags %x\n", opts.optind, opts.errors, opts.flags);
  for (i = 0; i < argc; ++i)
    if (i > 0) printf(" %s", argv[i]);
  printf("\n");
  return 0;
}
