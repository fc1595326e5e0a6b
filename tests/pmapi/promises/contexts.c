/* Contexts, their profiles, zones and names. */
#include "parts.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <sys/socket.h>
#include <unistd.h>

#define FOUR_INSTANCES "insts4" /* in.ctr: 100, 200, 300, 400 at first */
static const pmInDom g_domain = 245u << 22 | 1, g_colours = 253u << 22;

static int open_descriptors(void) {
  int count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

/* How many values it has now; the time goes to `when`. */
static int fetched(const char* name, struct timeval* when) {
  pmID pmid = id_of(name);
  pmResult* result = NULL;
  const int sts = pmFetch(1, &pmid, &result);
  if (sts < 0) return sts;
  const int count = result->vset[0]->numval;
  if (when != NULL) *when = result->timestamp;
  pmFreeResult(result);
  return count;
}
static int values_now(const char* name) { return fetched(name, NULL); }

static int has_ipv6(void) {
  const struct sockaddr_in6 loopback = {.sin6_family = AF_INET6,
                                        .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const int probe = socket(AF_INET6, SOCK_STREAM, 0);
  const int out =
      probe >= 0 && bind(probe, (const struct sockaddr*)&loopback, sizeof loopback) == 0;
  if (probe >= 0) close(probe);
  return out;
}

void promises_opening(void) {
  char spec[300];
  struct timeval when = {0, 0};
  const char* const port = strrchr(g_places.host, ':') + 1;
  setenv("PMCD_PORT", port, 1);
  PROMISE("pmapi.context.pmWhichContext", pmWhichContext() == PM_ERR_NOCONTEXT);
  const int before = open_descriptors();
  const int host = pmNewContext(PM_CONTEXT_HOST, g_places.host);
  PROMISE("pmapi.context.pmNewContext.host", host >= 0 && pmWhichContext() == host);
  PROMISE("pmapi.context.initial_profile", values_now("simple.color") == 3);
  const int archive = open_archive(FOUR_INSTANCES);
  PROMISE("pmapi.context.pmNewContext.archive", pmWhichContext() == archive && archive != host);
  PROMISE("pmapi.context.initial_profile", fetched("in.ctr", &when) == 4);
  PROMISE("pmapi.context.pmNewContext.archive", when.tv_sec == 1700000000 && when.tv_usec == 0);
  PROMISE("pmapi.context.pmWhichContext", pmWhichContext() == archive);
  PROMISE("pmapi.context.pmDestroyContext.current", pmDestroyContext(archive) == 0);
  PROMISE("pmapi.context.pmDestroyContext.current", pmWhichContext() == PM_ERR_NOCONTEXT);
  pmDesc desc;
  PROMISE("pmapi.context.pmDestroyContext.current", pmLookupDesc(1, &desc) == PM_ERR_NOCONTEXT);
  PROMISE("pmapi.context.pmDestroyContext", pmDestroyContext(host) == 0);
  PROMISE("pmapi.context.pmDestroyContext", pmDestroyContext(host) == PM_ERR_NOCONTEXT);
  PROMISE("pmapi.context.pmDestroyContext", pmDestroyContext(99) == PM_ERR_NOCONTEXT);
  PROMISE_OF_OURS("pmapi.context.pmDestroyContext", open_descriptors() == before);

  PROMISE("wire.port", pmNewContext(PM_CONTEXT_HOST, "127.0.0.1") >= 0);
  PROMISE("pmapi.context.hostspec.name", pmNewContext(PM_CONTEXT_HOST, "localhost") >= 0);
  snprintf(spec, sizeof spec, "127.0.0.1:1,%s", port);
  PROMISE("pmapi.context.hostspec.name", pmNewContext(PM_CONTEXT_HOST, spec) >= 0);
  /* No pmcd of this machine's own is needed: at the place of its socket is none. */
  PROMISE("pmcd.monitor_without", access(path_of("pmcd.socket"), F_OK) != 0);
  PROMISE("pmcd.monitor_without", pmNewContext(PM_CONTEXT_HOST, g_places.host) >= 0);
  PROMISE("wire.ipv4_ipv6", pmNewContext(PM_CONTEXT_HOST, g_places.host) >= 0);
  if (has_ipv6()) {
    snprintf(spec, sizeof spec, "[::1]:%s", port);
    PROMISE("wire.ipv4_ipv6", pmNewContext(PM_CONTEXT_HOST, spec) >= 0);
    PROMISE("pmapi.context.hostspec.name", pmNewContext(PM_CONTEXT_HOST, spec) >= 0);
  }
  snprintf(spec, sizeof spec, "unix:/%s", g_places.socket);
  PROMISE("pmapi.context.hostspec.unix", pmNewContext(PM_CONTEXT_HOST, spec) >= 0);
  PROMISE("pmapi.context.hostspec.unix", values_now("simple.color") == 3);
  snprintf(spec, sizeof spec, "local:%s", g_places.socket);
  PROMISE("pmapi.context.hostspec.unix", pmNewContext(PM_CONTEXT_HOST, spec) >= 0);
  PROMISE("pmapi.context.hostspec.unix",
          pmNewContext(PM_CONTEXT_HOST, "local:/no/such/socket") >= 0);
  PROMISE("pmapi.context.hostspec.unix", pmNewContext(PM_CONTEXT_HOST, "unix:/no/such/socket") < 0);
}

/* Longer than a part of a name may be: no name server is asked. */
static const char kImpossibleName[] =
    "a-part-of-more-than-sixty-three-letters-is-in-no-name-that-a-server-could-know.invalid";

/* Nobody who lets us in: none listens, none has the name, none accepts, none greets. */
void promises_refused_hosts(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t bytes = sizeof address;
  struct timeval before, after;
  char spec[100];
  setenv("PMCD_CONNECT_TIMEOUT", "1", 1);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  PROMISE("pmapi.context.errors.refused",
          pmNewContext(PM_CONTEXT_HOST, "127.0.0.1:1") == -ECONNREFUSED);
  PROMISE("pmapi.context.errors.refused",
          pmNewContext(PM_CONTEXT_HOST, kImpossibleName) == -EHOSTUNREACH);
  const int silent = socket(AF_INET, SOCK_STREAM, 0);
  bind(silent, (struct sockaddr*)&address, sizeof address);
  listen(silent, 0);
  getsockname(silent, (struct sockaddr*)&address, &bytes);
  for (int i = 0; i < 4; ++i) { /* then its queue is full */
    const int one = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)!connect(one, (struct sockaddr*)&address, sizeof address);
  }
  usleep(100000);
  snprintf(spec, sizeof spec, "127.0.0.1:%d", ntohs(address.sin_port));
  pmtimevalNow(&before);
  const int sts = pmNewContext(PM_CONTEXT_HOST, spec);
  pmtimevalNow(&after);
  const double waited = pmtimevalSub(&after, &before);
  /* PCP 6.0.3 waits 5 s here, and then says that it is refused. */
  PROMISE_OF_OURS("pmapi.context.errors.refused", sts == -ETIMEDOUT);
  PROMISE_OF_OURS("wire.PMCD_CONNECT_TIMEOUT", waited > 0.9 && waited < 4);
}

void promises_several_contexts(void) {
  struct timeval when = {0, 0}, first = {0, 0};
  const int a = open_archive(FOUR_INSTANCES), b = open_archive(FOUR_INSTANCES);
  pmID pmid = id_of("in.ctr");
  pmLogLabel label;
  PROMISE("pmapi.context.pmUseContext", pmUseContext(a) == 0 && pmWhichContext() == a);
  fetched("in.ctr", &first);
  fetched("in.ctr", &when);
  PROMISE("pmapi.context.pmUseContext", pmUseContext(b) == 0);
  fetched("in.ctr", &when);
  PROMISE("pmapi.context.pmUseContext", when.tv_sec == first.tv_sec);
  pmUseContext(a);
  fetched("in.ctr", &when); /* the third record, as if nothing had been between */
  PROMISE("pmapi.context.pmUseContext", when.tv_sec == first.tv_sec + 20);
  PROMISE("pmapi.context.pmUseContext", pmUseContext(99) == PM_ERR_NOCONTEXT);
  PROMISE("pmapi.context.pmUseContext", pmWhichContext() == a);

  pmSetMode(PM_MODE_FORW, &first, 0);
  fetched("in.ctr", NULL);
  int two[] = {100, 200};
  pmAddProfile(g_domain, 2, two);
  const int copy = pmDupContext();
  PROMISE("pmapi.context.pmDupContext", copy >= 0 && copy != a && pmWhichContext() == copy);
  PROMISE("pmapi.context.pmDupContext", id_of("in.ctr") == pmid);
  const int count = fetched("in.ctr", &when);
  PROMISE("pmapi.context.pmDupContext", when.tv_sec == first.tv_sec + 10);
  PROMISE_OF_OURS("pmapi.context.pmDupContext", count == 2); /* PCP 6.0.3 loses the profile */
  PROMISE("pmapi.context.pmDupContext", pmDestroyContext(copy) == 0);
  pmUseContext(a);
  PROMISE("pmapi.context.pmDupContext", fetched("in.ctr", &when) == 2);
  PROMISE("pmapi.context.pmDupContext", when.tv_sec == first.tv_sec + 10);

  /* Whatever else of it changes, the source stays. */
  pmDelProfile(PM_INDOM_NULL, 0, NULL);
  pmSetMode(PM_MODE_INTERP, &first, 3000);
  PROMISE("pmapi.context.source_fixed",
          pmGetArchiveLabel(&label) == 0 && strcmp(label.ll_hostname, "vec.example") == 0);
  PROMISE("pmapi.context.source_fixed", strcmp(pmGetContextHostName(a), "vec.example") == 0);
  PROMISE("pmapi.context.source_fixed", id_of("in.ctr") == pmid && values_now("in.ctr") == 0);
}

void promises_profiles(void) {
  int two[] = {200, 400}, one[] = {400}, *const none = NULL;
  struct timeval start = {1700000000, 0};
  open_archive(FOUR_INSTANCES);
  pmSetMode(PM_MODE_INTERP, &start, 0);
  PROMISE("pmapi.context.pmAddProfile", pmAddProfile(g_domain, 2, two) == 0);
  PROMISE("pmapi.context.pmAddProfile", values_now("in.ctr") == 2);
  PROMISE("pmapi.context.pmAddProfile", pmAddProfile(g_domain, 0, none) == 0);
  PROMISE("pmapi.context.pmAddProfile", values_now("in.ctr") == 4);
  PROMISE("pmapi.context.pmDelProfile", pmDelProfile(g_domain, 1, one) == 0);
  PROMISE("pmapi.context.pmDelProfile", values_now("in.ctr") == 3);
  PROMISE("pmapi.context.pmDelProfile", pmDelProfile(g_domain, 0, none) == 0);
  PROMISE("pmapi.context.pmDelProfile", values_now("in.ctr") == 0);
  PROMISE("pmapi.context.pmAddProfile.all", pmAddProfile(PM_INDOM_NULL, 0, NULL) == 0);
  PROMISE("pmapi.context.pmAddProfile.all", values_now("in.ctr") == 4);
  PROMISE("pmapi.context.pmDelProfile.all", pmDelProfile(PM_INDOM_NULL, 0, NULL) == 0);
  PROMISE("pmapi.context.pmDelProfile.all", values_now("in.ctr") == 0);
  PROMISE("pmapi.context.pmAddProfile", pmAddProfile(PM_INDOM_NULL, 1, one) == PM_ERR_PROFILESPEC);

  open_host();
  two[0] = 0, two[1] = 2;
  PROMISE("pmapi.context.pmAddProfile", pmAddProfile(g_colours, 2, two) == 0);
  PROMISE("pmapi.context.pmAddProfile", values_now("simple.color") == 2);
  PROMISE("pmapi.context.pmDelProfile.all", pmDelProfile(PM_INDOM_NULL, 0, NULL) == 0);
  PROMISE("pmapi.context.pmDelProfile.all", values_now("simple.color") == 0);
  PROMISE("pmapi.context.pmDelProfile.all", values_now("simple.numfetch") == 1);
  PROMISE("pmapi.context.pmAddProfile.all", pmAddProfile(PM_INDOM_NULL, 0, NULL) == 0);
  PROMISE("pmapi.context.pmAddProfile.all", values_now("simple.color") == 3);
}

void promises_of_hosts(void) {
  char name[300] = "", all[300] = "";
  pmID pmid;
  pmResult* result = NULL;
  const int host = open_host(), archive = open_archive(FOUR_INSTANCES);
  PROMISE("pmapi.context.pmReconnectContext", pmReconnectContext(host) == host);
  PROMISE("pmapi.context.pmReconnectContext", pmWhichContext() == archive);
  PROMISE("pmapi.context.pmReconnectContext", pmReconnectContext(99) == PM_ERR_NOCONTEXT);
  pmUseContext(host);
  PROMISE("pmapi.context.pmReconnectContext", values_now("simple.color") == 3);
  pmid = id_of("pmcd.hostname");
  if (pmFetch(1, &pmid, &result) >= 0 && result->vset[0]->numval == 1)
    snprintf(all, sizeof all, "%s", result->vset[0]->vlist[0].value.pval->vbuf);
  pmFreeResult(result);
  char own[256] = "";
  gethostname(own, sizeof own - 1);
  PROMISE("pmcd.metric_hostname", *all != '\0' && strncmp(all, own, strcspn(own, ".")) == 0);
  pmid = id_of("pmcd.timezone");
  if (pmFetch(1, &pmid, &result) >= 0) {
    PROMISE("pmcd.metric_timezone",
            result->vset[0]->numval == 1 &&
                strcmp(result->vset[0]->vlist[0].value.pval->vbuf, "UTC") == 0);
    pmFreeResult(result);
  }
  PROMISE("pmapi.context.pmGetContextHostName",
          *all != '\0' && strcmp(pmGetContextHostName(host), all) == 0);
  PROMISE("pmapi.context.pmGetContextHostName",
          strcmp(pmGetContextHostName(archive), "vec.example") == 0);
  PROMISE("pmapi.context.pmGetContextHostName", *pmGetContextHostName(99) == '\0');
  PROMISE("pmapi.context.pmGetContextHostName_r",
          pmGetContextHostName_r(archive, name, sizeof name) == name);
  PROMISE("pmapi.context.pmGetContextHostName_r", strcmp(name, "vec.example") == 0);
  const char* const shared = pmGetContextHostName(host);
  pmGetContextHostName_r(archive, name, sizeof name);
  PROMISE("pmapi.context.pmGetContextHostName_r", strcmp(shared, all) == 0);

  pmLogLabel label;
  struct timeval end;
  pmUseContext(host);
  PROMISE("pmapi.context.table.archive_only", pmFetchArchive(&result) == PM_ERR_NOTARCHIVE);
  PROMISE("pmapi.context.table.archive_only", pmGetArchiveLabel(&label) == PM_ERR_NOTARCHIVE);
  PROMISE("pmapi.context.table.archive_only", pmGetArchiveEnd(&end) == PM_ERR_NOTARCHIVE);
  pmUseContext(archive);
  pmid = id_of("in.ctr");
  PROMISE("pmapi.context.table.host_only", pmFetch(1, &pmid, &result) == 0);
  PROMISE("pmapi.context.table.host_only", pmStore(result) == PM_ERR_NOTHOST);
  pmFreeResult(result);
}

void promises_zones(void) {
  char text[30] = "", *zone = NULL;
  struct tm broken;
  const time_t when = 1700000000; /* 14 November 2023, 22:13:20 UTC */
  PROMISE("pmapi.zone.pmWhichZone", pmWhichZone(&zone) < 0);
  PROMISE("pmapi.zone.pmNewContextZone.nocontext", pmNewContextZone() == PM_ERR_NOCONTEXT);
  const int east = pmNewZone("JST-9");
  PROMISE("pmapi.zone.pmNewZone", east >= 0 && pmWhichZone(&zone) == east);
  PROMISE("pmapi.zone.pmWhichZone", strcmp(zone, "JST-9") == 0);
  PROMISE("pmapi.zone.pmCtime", pmCtime(&when, text) == text);
  PROMISE("pmapi.zone.pmCtime",
          strcmp(text, "Wed Nov 15 07:13:20 2023\n") == 0 && strlen(text) + 1 == 26);
  PROMISE("pmapi.zone.pmLocaltime", pmLocaltime(&when, &broken) == &broken);
  PROMISE("pmapi.zone.pmLocaltime", broken.tm_year == 123 && broken.tm_mon == 10 &&
                                        broken.tm_mday == 15 && broken.tm_hour == 7);
  open_archive(FOUR_INSTANCES);
  const int recorded = pmNewContextZone();
  PROMISE("pmapi.zone.pmNewContextZone", recorded >= 0 && recorded != east);
  pmCtime(&when, text);
  PROMISE("pmapi.zone.pmNewContextZone", strcmp(text, "Tue Nov 14 22:13:20 2023\n") == 0);
  PROMISE("pmapi.zone.pmUseZone", pmUseZone(east) >= 0);
  PROMISE("pmapi.zone.pmUseZone", strncmp(pmCtime(&when, text), "Wed Nov 15", 10) == 0);
  PROMISE("pmapi.zone.pmUseZone", pmUseZone(99) < 0 && pmWhichZone(&zone) == east);
  open_host();
  const int live = pmNewContextZone(); /* of pmcd.zoneinfo, or of pmcd.timezone */
  PROMISE("pmapi.zone.pmNewContextZone", live >= 0 && pmWhichZone(&zone) == live && *zone != '\0');
}
