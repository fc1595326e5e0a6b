/* Options of a daemon, its log, its fields, and calls that come in the wrong order. */
#include <unistd.h>

#include "parts.h"

static pmdaInterface g_agent;
static pmdaExt* ext(void) { return g_agent.version.any.ext; }

static pmLongOptions g_known[] = {PMDA_OPTIONS_HEADER("Options"),
                                  PMOPT_DEBUG,
                                  PMDAOPT_DOMAIN,
                                  PMDAOPT_HELPTEXT,
                                  PMDAOPT_LOGFILE,
                                  PMDAOPT_USERNAME,
                                  PMDAOPT_INET,
                                  PMDAOPT_PIPE,
                                  PMDAOPT_UNIX,
                                  PMDAOPT_IPV6,
                                  {"own", 1, 'o', "N", "the agent's own"},
                                  PMOPT_HELP,
                                  PMDA_OPTIONS_END};
static pmdaOptions g_opts;
/* Reads the words, up to NULL; the own ones are put together. */
static char g_own[100];
static void read_options(char** words) {
  int c, count = 0;
  while (words[count] != NULL) ++count;
  g_opts = (pmdaOptions){.short_options = "D:d:h:i:l:pu:U:6:o:?", .long_options = g_known};
  memset(&g_agent, 0, sizeof g_agent);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, "first.log", "first/help");
  *g_own = '\0';
  while ((c = pmdaGetOptions(count, words, &g_opts, &g_agent)) != EOF)
    snprintf(g_own + strlen(g_own), sizeof g_own - strlen(g_own), "%c=%s ", c,
             g_opts.optarg ? g_opts.optarg : "");
  pmflush();
}
#define READ(...) read_options((char*[]){"agent", __VA_ARGS__, NULL})

void promises_options(void) {
  READ("-d", "400", "-l", "other.log", "-h", "other/help", "-U", "daemon", "-o", "7", "operand");
  PROMISE("pmda.setup.pmdaGetOptions", g_opts.errors == 0 && strcmp(g_own, "o=7 ") == 0);
  PROMISE("pmda.setup.pmdaGetOptions", g_opts.optind == 11);
  PROMISE("pmda.setup.option_d", g_agent.domain == 400 && ext()->e_domain == 400);
  PROMISE("pmda.setup.option_l", strcmp(ext()->e_logfile, "other.log") == 0);
  PROMISE("pmda.setup.option_h", strcmp(ext()->e_helptext, "other/help") == 0);
  PROMISE("pmda.setup.option_U", strcmp(g_opts.username, "daemon") == 0);
  READ("--domain=401", "--own", "9");
  PROMISE("pmda.setup.pmdaGetOptions", g_agent.domain == 401 && strcmp(g_own, "o=9 ") == 0);
  pmClearDebug("all");
  READ("-D", "appl0,libpmda");
  PROMISE("pmda.setup.option_D",
          g_opts.errors == 0 && pmDebugOptions.appl0 == 1 && pmDebugOptions.libpmda == 1);
  pmClearDebug("all");
  int errors = 0;
  char* old[] = {"agent", "-d", "402", "-p", "-x", NULL};
  memset(&g_agent, 0, sizeof g_agent);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  optind = 1;
  PROMISE("pmda.setup.pmdaGetOpt", pmdaGetOpt(5, old, "d:px", &g_agent, &errors) == 'x');
  PROMISE("pmda.setup.pmdaGetOpt", pmdaGetOpt(5, old, "d:px", &g_agent, &errors) == EOF);
  PROMISE("pmda.setup.pmdaGetOpt", g_agent.domain == 402 && ext()->e_io == pmdaPipe && errors == 0);
}

void promises_channels_of_options(void) {
  READ("-p");
  PROMISE("pmda.setup.option_p", g_opts.errors == 0 && ext()->e_io == pmdaPipe);
  READ("-i", "2078");
  PROMISE("pmda.setup.option_i",
          g_opts.errors == 0 && ext()->e_io == pmdaInet && ext()->e_port == 2078);
  READ("-u", "/run/some/socket");
  PROMISE("pmda.setup.option_u", g_opts.errors == 0 && ext()->e_io == pmdaUnix &&
                                     strcmp(ext()->e_sockname, "/run/some/socket") == 0);
  READ("-6", "2079");
  PROMISE("pmda.setup.option_6",
          g_opts.errors == 0 && ext()->e_io == pmdaIPv6 && ext()->e_port == 2079);
}

static void two_channels(void) { READ("-p", "-i", "2078"); }
static void wrong_domain(void) { READ("-d", "x"); }
static void wrong_flags(void) { READ("-D", "nonsense"); }
static void show_usage(void) {
  g_opts.short_usage = NULL;
  pmdaUsageMessage(&g_opts);
}
static int says(void (*function)(void), const char* text) {
  char* const said = said_by(function);
  const int out = strstr(said, text) != NULL;
  if (!out) printf("said: %s\n", said);
  free(said);
  return out;
}

void promises_wrong_options(void) {
  PROMISE("pmda.setup.clash", says(two_channels, "-i option clashes with -p option"));
  PROMISE("pmda.setup.clash", g_opts.errors == 1 && ext()->e_io == pmdaPipe);
  PROMISE("pmda.setup.option_d", says(wrong_domain, "-d requires numeric domain number"));
  PROMISE("pmda.setup.option_d", g_opts.errors == 1);
  PROMISE("pmda.setup.option_D",
          says(wrong_flags, "unrecognized debug options specification (nonsense)"));
  PROMISE("pmda.setup.option_D", g_opts.errors == 1);
  READ("-p");
  PROMISE("pmda.setup.pmdaUsageMessage", says(show_usage, "Usage: "));
  PROMISE("pmda.setup.pmdaUsageMessage", says(show_usage, "-d NUM, --domain=NUM"));
  PROMISE("pmda.setup.pmdaUsageMessage", says(show_usage, "the agent's own"));
}

void promises_fields(void) {
  struct tables* const t = new_tables();
  READ("-d", "400", "-u", "/run/some/socket");
  PROMISE("pmda.setup.pmdaDaemon", g_agent.status == 0 && g_agent.comm.pmda_interface == 7 &&
                                       g_agent.comm.pmapi_version == 2 && g_agent.comm.flags == 0);
  PROMISE("pmda.setup.pmdaDaemon", g_agent.version.any.fetch == pmdaFetch &&
                                       g_agent.version.any.store == pmdaStore &&
                                       g_agent.version.four.children == pmdaChildren &&
                                       g_agent.version.seven.label == pmdaLabel);
  PROMISE("pmda.ext.fields_doc", strcmp(ext()->e_name, "test") == 0 &&
                                     strcmp(ext()->e_logfile, "first.log") == 0 &&
                                     strcmp(ext()->e_helptext, "first/help") == 0);
  PROMISE("pmda.ext.fields_doc", strcmp(ext()->e_sockname, "/run/some/socket") == 0 &&
                                     ext()->e_io == pmdaUnix && ext()->e_domain == 400);
  PROMISE("pmda.ext.fields_doc", ext()->e_infd == -1 && ext()->e_outfd == -1);
  READ("-i", "2078");
  PROMISE("pmda.ext.fields_doc", ext()->e_port == 2078);
  pmdaSetFetchCallBack(&g_agent, give);
  pmdaInit(&g_agent, t->indoms, 1, t->metrics, 2);
  PROMISE("pmda.ext.fields_doc", ext()->e_nmetrics == 2 && ext()->e_nindoms == 1);
  PROMISE("pmda.cb.pmdaSetFetchCallBack", ext()->e_fetchCallBack == give);
  pmProfile profile = {.state = PM_PROFILE_INCLUDE};
  pmdaProfile(&profile, ext());
  PROMISE("pmda.ext.fields_doc", ext()->e_prof == &profile);
  pmdaInterface object = {.domain = 77, .comm = {.pmda_interface = 255, .pmapi_version = 253}};
  pmdaDSO(&object, PMDA_INTERFACE_6, "object DSO", "its/help");
  PROMISE("pmda.setup.pmdaDSO", object.status == 0 && object.domain == 77 &&
                                    object.comm.pmda_interface == 6 &&
                                    object.comm.pmapi_version == 2);
  PROMISE("pmda.setup.pmdaDSO", strcmp(object.version.any.ext->e_helptext, "its/help") == 0 &&
                                    object.version.any.ext->e_logfile == NULL);
}

static void connect_early(void) {
  pmdaInterface nothing = {.domain = 0};
  pmdaConnect(&nothing);
}
static void label_of_six(void) {
  pmdaDaemon(&g_agent, PMDA_INTERFACE_6, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetLabelCallBack(&g_agent, NULL);
}
static void init_of_nothing(void) {
  pmdaInterface nothing = {.domain = 0};
  pmdaInit(&nothing, NULL, 0, NULL, 0);
}

void promises_order(void) {
  PROMISE("pmda.setup.order",
          says(connect_early, "pmdaConnect: need to call pmdaDaemon() or pmdaDSO() first"));
  PROMISE("pmda.setup.order", says(init_of_nothing, "PMDA interface version 0 not supported"));
  PROMISE("pmda.setup.order",
          says(label_of_six, "Unable to set label callback for PMDA interface version 6."));
  PROMISE("pmda.setup.order", g_agent.status == PM_ERR_GENERIC);
}

void promises_log(void) {
  const char* const path = path_of("agent.log");
  const int saved = dup(2);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, path, NULL);
  pmdaOpenLog(&g_agent);
  fprintf(stderr, "something\n");
  fflush(stderr);
  dup2(saved, 2);
  char* const text = text_of(path);
  PROMISE("pmda.setup.pmdaOpenLog", strncmp(text, "Log for ", 8) == 0);
  PROMISE("pmda.setup.pmdaOpenLog", strstr(text, "something\n") != NULL);
  free(text);
}
