/* Texts of usage: of tables with and without heads, hidden lines, long names; FLAGS of the message.
 */
#include "program.h"

static pmLongOptions plain[] = {{"one", 0, '1', NULL, "the first"},
                                {"two", 1, '2', "WORD", "the second"},
                                {"three", 2, '3', "WORD", "the third"},
                                {NULL, 0, '4', NULL, "cut here"},
                                PMAPI_OPTIONS_END};
static pmLongOptions heads[] = {PMAPI_OPTIONS_HEADER("General"),
                                PMOPT_HOST,
                                PMOPT_ARCHIVE,
                                PMAPI_OPTIONS_TEXT("and more of them"),
                                PMAPI_OPTIONS_TEXT(""),
                                PMAPI_OPTIONS_HEADER("Mine"),
                                {"long-name-without-a-letter", 0, 0, NULL, "text"},
                                {"long-name-with-an-argument", 1, 0, "ARGUMENT", "text"},
                                {"x-and-a-very-long-name-of-it", 1, 'x', "ARGUMENT", "text"},
                                {"optional", 2, 0, "IT", "text"},
                                {"silent", 0, 's', NULL, NULL},
                                {"", 0, 'w', NULL, "a letter alone"},
                                {"", 1, 'u', "UNITS", "a letter with an argument"},
                                PMOPT_HELP,
                                PMAPI_OPTIONS_END};
static pmLongOptions all[] = {PMAPI_GENERAL_OPTIONS, PMOPT_SPECLOCAL,  PMOPT_LOCALPMDA,
                              PMOPT_UNIQNAMES,       PMOPT_HOSTSFILE,  PMOPT_ARCHIVE_LIST,
                              PMOPT_ARCHIVE_FOLIO,   PMOPT_HOST_LIST,  PMOPT_CONTAINER,
                              PMOPT_DERIVED,         PMAPI_OPTIONS_END};

int main(int argc, char** argv) {
  pmOptions opts = {.short_options = PMAPI_OPTIONS};
  pmLongOptions* tables[] = {plain, heads, all};
  setvbuf(stdout, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  opts.long_options = tables[argc > 1 ? atoi(argv[1]) % 3 : 0];
  if (argc > 2) opts.short_usage = argv[2];
  if (argc > 3) opts.flags = (int)strtol(argv[3], NULL, 0);
  pmUsageMessage(&opts);
  printf("%x\n", opts.flags);
  SHOW(pmflush());
  return 0;
}
