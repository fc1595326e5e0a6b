/* What a program has besides metrics: messages, configuration, options, debug flags. */
#include "parts.h"

#include <sys/wait.h>
#include <unistd.h>

static void print_message(void) {
  PROMISE("pmapi.aux.pmprintf", pmprintf("%s %d\n", "message", 7) == 10);
}
static void print_and_flush(void) {
  print_message();
  PROMISE("pmapi.aux.pmflush", pmflush() >= 0);
}
static void flush(void) { pmflush(); }
static void notify(void) { pmNotifyErr(LOG_WARNING, "number %d", 5); }

void promises_messages(void) {
  unsetenv("PCP_STDERR");
  char* said = said_by(print_message);
  PROMISE("pmapi.aux.pmprintf", *said == '\0');
  free(said);
  /* Until it is flushed it is kept in memory. */
  PROMISE("pmapi.aux.pmprintf.tmpfile", rmdir(path_of("tmp")) == 0); /* it is PCP_TMP_DIR */
  said = said_by(flush);
  PROMISE("pmapi.aux.pmflush", strcmp(said, "message 7\n") == 0);
  PROMISE("pmapi.aux.PCP_STDERR.unset", strcmp(said, "message 7\n") == 0);
  free(said);
  said = said_by(flush);
  PROMISE("pmapi.aux.pmflush", *said == '\0'); /* it is empty */
  free(said);
}

void promises_messages_to_a_file(void) {
  const char* const path = write_file("messages", "before\n");
  setenv("PCP_STDERR", path, 1);
  char* said = said_by(print_and_flush);
  PROMISE("pmapi.aux.PCP_STDERR.file", *said == '\0');
  free(said);
  said = text_of(path);
  PROMISE("pmapi.aux.PCP_STDERR.file", strcmp(said, "before\nmessage 7\n") == 0);
  free(said);
}

/* PCP_XCONFIRM_PROG is a script that keeps its words. */
void promises_messages_in_a_window(void) {
  setenv("PCP_STDERR", "DISPLAY", 1);
  char* said = said_by(print_and_flush);
  PROMISE("pmapi.aux.PCP_STDERR.display", *said == '\0');
  free(said);
  said = text_of(path_of("confirmed"));
  PROMISE("pmapi.aux.PCP_STDERR.display",
          strstr(said, "-t message 7") && strstr(said, "-header PCP Information"));
  free(said);
}

void promises_log(void) {
  char wanted[100];
  pmSetProgname("some/where/told");
  PROMISE("pmda.setup.pmSetProgname", strcmp(pmGetProgname(), "told") == 0);
  char* const said = said_by(notify);
  snprintf(wanted, sizeof wanted, "] told(%d) Warning: number 5\n", (int)getpid());
  PROMISE("debug.pmNotifyErr", said[0] == '[' && strstr(said, wanted) != NULL);
  PROMISE("debug.pmNotifyErr", strlen(said) == strlen("[Tue Nov 14 22:13:20") + strlen(wanted));
  free(said);
  PROMISE("debug.pmDebug", pmDebugOptions.appl0 == 0 && pmSetDebug("appl0,appl2") == 0);
  PROMISE("debug.pmDebug",
          pmDebugOptions.appl0 == 1 && pmDebugOptions.appl1 == 0 && pmDebugOptions.appl2 == 1);
  PROMISE("debug.pmDebug", pmClearDebug("appl0") == 0 && pmDebugOptions.appl0 == 0);
}

/* A child with other variables prints what it has of the configuration. */
static char g_asked[2000];
static int ask_child(const char* conf, const char* dir, const char* name) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) exit(2);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    conf ? setenv("PCP_CONF", conf, 1) : unsetenv("PCP_CONF");
    dir ? setenv("PCP_DIR", dir, 1) : unsetenv("PCP_DIR");
    const char* const value = pmGetConfig(name);
    dprintf(1, "<%s> <%s>", value, getenv(name) ? getenv(name) : "none");
    _exit(0);
  }
  close(ends[1]);
  size_t bytes = 0;
  for (ssize_t more; (more = read(ends[0], g_asked + bytes, sizeof g_asked - 1 - bytes)) > 0;)
    bytes += (size_t)more;
  g_asked[bytes] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void promises_configuration(void) {
  const char* const own = write_file("own.conf", "# remark\nPCP_OWN=own one\nPCP_QUOTED='x'\n");
  mkdir(path_of("etc"), 0700);
  write_file("etc/pcp.conf", "PCP_OWN=of the folder\n");
  PROMISE("pmapi.aux.pmGetConfig", ask_child(own, NULL, "PCP_OWN") == 0);
  PROMISE("pmapi.aux.pmGetConfig", strcmp(g_asked, "<own one> <own one>") == 0);
  setenv("PCP_OWN", "of the environment", 1);
  PROMISE("pmapi.aux.pmGetConfig", ask_child(own, NULL, "PCP_OWN") == 0);
  PROMISE("pmapi.aux.pmGetConfig",
          strcmp(g_asked, "<of the environment> <of the environment>") == 0);
  unsetenv("PCP_OWN");
  PROMISE("pmapi.aux.pmGetConfig.file", ask_child(own, g_places.folder, "PCP_OWN") == 0);
  PROMISE("pmapi.aux.pmGetConfig.file", strcmp(g_asked, "<own one> <own one>") == 0);
  PROMISE("pmapi.aux.pmGetConfig.file", ask_child(NULL, g_places.folder, "PCP_OWN") == 0);
  PROMISE("pmapi.aux.pmGetConfig.file", strncmp(g_asked, "<of the folder>", 15) == 0);
  const int status = ask_child(NULL, NULL, "PCP_OWN");
  PROMISE("pmapi.aux.pmGetConfig.file", access("/etc/pcp.conf", R_OK) == 0
                                            ? status == 0
                                            : strstr(g_asked, "\"/etc/pcp.conf\"") != NULL);
  PROMISE("pmapi.aux.pmGetConfig.missing_file", ask_child("/etc/no/such/pcp.conf", NULL, "X") == 1);
  PROMISE("pmapi.aux.pmGetConfig.missing_file",
          strstr(g_asked,
                 "FATAL PCP ERROR: could not open config file \"/etc/no/such/pcp.conf\" : No "
                 "such file or directory\n") != NULL);
  PROMISE("pmapi.aux.pmGetConfig.missing_var", ask_child(own, NULL, "PCP_NO_SUCH") == 0);
  PROMISE("pmapi.aux.pmGetConfig.missing_var", strncmp(g_asked, "<> ", 3) == 0);
  char* user = NULL;
  PROMISE("pmda.setup.pmGetUsername", pmGetUsername(&user) == 1 && strcmp(user, "daemon") == 0);
}

void promises_options(void) {
  static pmLongOptions known[] = {
      PMAPI_GENERAL_OPTIONS, {"own", 1, 'o', "N", "the tool's own"}, PMAPI_OPTIONS_END};
  static pmOptions opts = {.short_options = PMAPI_OPTIONS "o:", .long_options = known};
  char archive[1000];
  int c, own = 0;
  snprintf(archive, sizeof archive, "%s/types-v3", g_places.archives);
  char* words[] = {"tool", "-a",    archive, "-t", "2 sec", "-s",      "3",
                   "-S",   "10sec", "-z",    "-o", "5",     "operand", NULL};
  while ((c = pmGetOptions(13, words, &opts)) != EOF)
    if (c == 'o') own = atoi(opts.optarg);
  PROMISE("pmapi.aux.pmGetOptions", opts.errors == 0 && own == 5);
  PROMISE("pmapi.aux.pmGetOptions", opts.context == PM_CONTEXT_ARCHIVE && opts.narchives == 1 &&
                                        strcmp(opts.archives[0], archive) == 0);
  PROMISE("pmapi.aux.pmGetOptions", opts.interval.tv_sec == 2 && opts.samples == 3 &&
                                        strcmp(words[opts.optind], "operand") == 0);
  const int context = pmNewContext(opts.context, opts.archives[0]);
  PROMISE("pmapi.aux.pmGetOptions", pmGetContextOptions(context, &opts) == 0);
  PROMISE("pmapi.aux.pmGetOptions", opts.start.tv_sec == 1700000010);
  pmFreeOptions(&opts);
}
