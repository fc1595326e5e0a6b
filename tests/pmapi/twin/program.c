/* Calls about the program itself: options, messages, strings, debug flags, settings. */
#include "twin.h"

static int claims(int option, pmOptions* options) {
  (void)options;
  return option == 's' || option == 'T';
}

static void say_options(pmOptions* o) {
  say(" flags %x errors %d context %d", o->flags & ~3, o->errors, o->context);
  for (int i = 0; i < o->nhosts; ++i) say_text(o->hosts[i]);
  for (int i = 0; i < o->narchives; ++i) say_text(o->archives[i]);
  say_text(o->start_optarg), say_text(o->finish_optarg), say_text(o->align_optarg);
  say_text(o->origin_optarg), say_text(o->timezone);
  say(" %d %d %d%d%d%d %d", o->samples, o->optind, o->guiflag, o->tzflag, o->nsflag, o->Lflag,
      o->guiport);
  say(" %lld.%06ld", (long long)o->interval.tv_sec, (long)o->interval.tv_usec);
}

static void call_options(void) {
  static const char* const words[] = {
      "-a",          "$A",        "-h",       "somehost",    "-S",          "5min",
      "-T",          "-9",        "-t",       "2sec",        "-s",          "3",
      "-Z",          "UTC",       "-z",       "-x",          "--",          "operand",
      "-sfoo",       "--archive", "--sam",    "--samples=7", "-t",          "1 fortnight",
      "-A",          "1min",      "-O",       "@10:00",      "--zip",       "-zz",
      "--h",         "-Dnonsense", "--local",     "-p",          "4321",
      "-g",          "-P",        "--pause",  "--width=5",   "-w",          "--wi",
      "--pause=3",   "-V",        "-?",       "--hostzone",  "-LP",         "-",
      "--host-list", "a,b",       "--start",  "--finish=@x", "--interval=", "$A"};
  static pmLongOptions with_headers[] = {PMAPI_GENERAL_OPTIONS,
                                         PMOPT_LOCALPMDA,
                                         PMOPT_HOST_LIST,
                                         PMOPT_ARCHIVE_LIST,
                                         PMAPI_OPTIONS_HEADER("Own"),
                                         {"pause", 0, 'P', 0, "wait"},
                                         {"width", 1, 'w', "N", "columns"},
                                         {"optional", 2, 'o', "X", "may have one"},
                                         PMAPI_OPTIONS_TEXT("a text"),
                                         PMAPI_OPTIONS_END};
  static const int flags[] = {0,
                              PM_OPTFLAG_MULTI,
                              PM_OPTFLAG_MIXED,
                              PM_OPTFLAG_POSIX,
                              PM_OPTFLAG_LONG_ONLY,
                              PM_OPTFLAG_QUIET,
                              PM_OPTFLAG_BOUNDARIES};
  char* argv[9] = {(char*)"twin"};
  pmOptions options = {};
  int argc = 1 + (int)pick(7), option, most = 20;
  options.short_options = pick(4) ? PMAPI_OPTIONS "LPw:o::" : "a:h:S:T:t:s:Z:zx:";
  options.long_options = with_headers;
  options.short_usage = pick(2) ? NULL : "[options] operand";
  options.flags = PICK_OF(flags) | (pick(4) ? 0 : PM_OPTFLAG_MULTI);
  options.override = pick(4) ? NULL : claims;
  for (int i = 1; i < argc; ++i) {
    const char* word = PICK_OF(words);
    argv[i] = (char*)(strcmp(word, "$A") == 0 ? known.archives[pick((unsigned)known.archive_count)]
                                              : word);
    say(" %s", word);
  }
  while (most-- > 0 && (option = pmGetOptions(argc, argv, &options)) != EOF) {
    say(" %d", option), say_text(options.optarg);
  }
  say_options(&options);
  for (int i = 0; i < argc; ++i) say_text(argv[i]);
  if (pick(3) == 0) pmUsageMessage(&options);
  say_messages();
  pmFreeOptions(&options);
}

static void call_getopt(void) {
  static const char* const words[] = {"-a", "x",   "-b", "-c5",    "--all", "--alpha=3", "--al",
                                      "--", "-ab", "-d", "--beta", "y",     "-",         "-c"};
  static pmLongOptions longs[] = {{"all", 0, 'a', 0, "x"},
                                  {"alpha", 1, 0, "N", "y"},
                                  {"beta", 2, 'b', "N", "z"},
                                  PMAPI_OPTIONS_END};
  static const char* const shorts[] = {"abc:", "+abc:", "-abc:", "ab::c:", ":abc:", "a"};
  char* argv[9] = {(char*)"twin"};
  pmOptions options = {};
  int argc = 1 + (int)pick(7), option, most = 20;
  options.short_options = PICK_OF(shorts);
  options.long_options = longs;
  options.opterr = (int)pick(2);
  if (pick(3) == 0) options.flags = PM_OPTFLAG_QUIET;
  say(" %s", options.short_options);
  for (int i = 1; i < argc; ++i) {
    argv[i] = (char*)PICK_OF(words);
    say(" %s", argv[i]);
  }
  while (most-- > 0 && (option = pmgetopt_r(argc, argv, &options)) != EOF) {
    say(" %d", option), say_text(options.optarg), say(" %d", options.optind);
  }
  say(" end %d", options.optind);
  for (int i = 0; i < argc; ++i) say_text(argv[i]);
  say_messages();
}

static void call_context_options(void) {
  static const char* const points[] = {"1min", "-1min", "@10:00", "bad", "+5sec", "0"};
  char* archive = (char*)known.archives[pick((unsigned)known.archive_count)];
  pmOptions options = {.narchives = 1, .archives = &archive};
  const int before = pmWhichContext(), handle = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
  int sts;
  options.flags = pick(2) ? PM_OPTFLAG_BOUNDARIES : 0;
  options.context = PM_CONTEXT_ARCHIVE;
  if (pick(2)) options.start_optarg = (char*)PICK_OF(points);
  if (pick(2)) options.finish_optarg = (char*)PICK_OF(points);
  if (pick(4) == 0) options.align_optarg = (char*)PICK_OF(points);
  if (pick(4) == 0) options.origin_optarg = (char*)PICK_OF(points);
  if (pick(4) == 0) options.timezone = (char*)"EST5EDT";
  if (pick(4) == 0 && !options.timezone) options.tzflag = 1;
  say_text(options.start_optarg), say_text(options.finish_optarg);
  say_text(options.align_optarg), say_text(options.origin_optarg), say_text(options.timezone);
  sts = pmGetContextOptions(handle, &options);
  say(" %d: %d", options.tzflag, sts);
  say(" %lld.%06ld", (long long)options.start.tv_sec, (long)options.start.tv_usec);
  say(" %lld.%06ld", (long long)options.finish.tv_sec, (long)options.finish.tv_usec);
  say(" %lld.%06ld", (long long)options.origin.tv_sec, (long)options.origin.tv_usec);
  say_messages();
  pmDestroyContext(handle);
  pmUseContext(before);
}

static void call_strings(void) {
  static const char* const texts[] = {"", "a", "hello", "a longer text than that", "x y"};
  char buffer[16] = "";
  const size_t room = 1 + pick(15);
  const char *one = PICK_OF(texts), *other = PICK_OF(texts);
  say(" %zu %d", room, pmstrncpy(buffer, room, one));
  say(" %d %zu", pmstrncat(buffer, room, other), pmstrlen(buffer));
  say_text(buffer);
  say(" %d", pmsprintf(buffer, room, "%s-%d", other, (int)pick(1000)));
  say_text(buffer);
}
static void call_words(void) {
  static const char* const parts[] = {"one", " ", "two", "\n", "\t", "  ", "x"};
  char text[64] = "", *word = NULL;
  FILE* file;
  int most = 9;
  ssize_t got;
  for (unsigned i = pick(7) + 1; i-- > 0;) strcat(text, PICK_OF(parts));
  say_text(text);
  file = fmemopen(text, strlen(text), "r");
  while (most-- > 0 && (got = pmfstring(file, &word)) >= 0) {
    say(" %zd", got);
    if (got > 0) say_text(word), free(word);
  }
  fclose(file);
}
/* Flags that trace nothing of what the calls here do. */
static void call_debug(void) {
  static const char* const specs[] = {
      "appl0", "appl1,appl2", "nonsense", "APPL3", "appl0,nonsense", "", "qa", "appl9,dev0", ","};
  const char* spec = PICK_OF(specs);
  say(" %s: %d", spec, pick(2) ? pmSetDebug(spec) : pmClearDebug(spec));
  say(" %d %d %d %d %d %d %d", pmDebugOptions.appl0, pmDebugOptions.appl1, pmDebugOptions.appl2,
      pmDebugOptions.appl3, pmDebugOptions.appl9, pmDebugOptions.qa, pmDebugOptions.dev0);
}
static void call_settings(void) {
  static const char* const names[] = {"PCP_VAR_DIR", "PCP_TMP_DIR", "PCP_NONE", "",
                                      "PCP_LOG_DIR", "PCP_VERSION", "PATHS",    "PCP_BIN_DIR"};
  static const char* const features[] = {"pcp_version", "multi_threaded",  "nonsense",
                                         "ipv6",        "fault_injection", "unix_domain_sockets",
                                         "v3_archives"};
  const char* name = PICK_OF(names);
  say(" %s", name), say_text(pmGetConfig(name)), say_text(pmGetOptionalConfig(name));
  name = PICK_OF(features);
  say(" %s", name), say_text(pmGetAPIConfig(name));
  say(" %x %c", pmGetVersion(), pmPathSeparator());
}
static void call_messages(void) {
  say(" %d", pmprintf("%s %d\n", "message", (int)pick(1000)));
  if (pick(2)) say(" %d", pmprintf("more"));
  say_messages();
  pmSetProgname(pick(2) ? "/usr/bin/twin" : "twin");
  say_text(pmGetProgname());
}

const struct call program_calls[] = {{"pmGetOptions", 4, call_options},
                                     {"pmgetopt_r", 3, call_getopt},
                                     {"pmGetContextOptions", 1, call_context_options},
                                     {"pmsprintf", 2, call_strings},
                                     {"pmfstring", 1, call_words},
                                     {"pmSetDebug", 1, call_debug},
                                     {"pmGetConfig", 1, call_settings},
                                     {"pmprintf", 1, call_messages},
                                     {NULL, 0, NULL}};
