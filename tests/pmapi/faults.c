/* Every function that talks to pmcd, while pmcd is restarted, stopped, slow or gone: what it
 * returns, and that nothing is left behind. A line a function, fault and context, for comparison
 * with the real library; last how many checks failed.
 *
 *   pmapi_faults SIM_HOSTS [--lines]        --lines: judges nothing (the real library leaks)
 *
 * Each function has a process and a pmcd of its own, because most of the time they wait. A context
 * is `fresh`, or `used`: the function was called before. */
#define _GNU_SOURCE
#include <pcp/pmapi.h>

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 12, kMostChildren = 40, kGrowthBytes = 1024 };

static const char* g_program; /* sim_hosts */
static int g_judges = 1;

/* --- pmcd ------------------------------------------------------------------------------------ */

static pid_t g_pmcd;
static int g_port;
static char g_host[64];

/* Did it start? */
static int try_pmcd(int port) {
  char word[16], line[128] = "";
  int ends[2], ready;
  FILE* said;
  snprintf(word, sizeof word, "%d", port);
  if (pipe(ends) != 0) exit(2);
  if ((g_pmcd = fork()) == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(g_program, g_program, "--hosts", "1", "--first", "1", "--metrics", "20", "--instanced",
          "8", "--instances", "5", "--port", word, (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  said = fdopen(ends[0], "r");
  ready = fgets(line, sizeof line, said) != NULL && sscanf(line, "ready %d", &port) == 1;
  fclose(said);
  if (!ready) waitpid(g_pmcd, NULL, 0);
  return ready;
}
/* Below the ports that systems give to those who connect: one that is free stays so while pmcd is
 * gone. */
static void start_pmcd(void) {
  enum { kFirst = 20000, kPorts = 12000, kTries = 50, kApart = 97 };
  int tries;
  for (tries = 0; tries < kTries; ++tries) {
    const int port = g_port != 0 ? g_port : kFirst + ((int)getpid() + tries * kApart) % kPorts;
    if (try_pmcd(port)) {
      g_port = port;
      snprintf(g_host, sizeof g_host, "127.1.0.1:%d", g_port);
      return;
    }
    usleep(100000);
  }
  printf("sim_hosts does not start\n");
  exit(2);
}
static void kill_pmcd(void) {
  kill(g_pmcd, SIGKILL);
  waitpid(g_pmcd, NULL, 0);
}
/* As a whole: until it says so, some of its threads run on. */
static void stop_pmcd(void) {
  int status;
  kill(g_pmcd, SIGSTOP);
  waitpid(g_pmcd, &status, WUNTRACED);
}

/* --- The functions --------------------------------------------------------------------------- */

static const char kSingle[] = "sim.single.level0", kDisks[] = "sim.disks.level0";
static pmID g_single, g_disks;
static pmInDom g_indom;
static int g_context;

static int call_new_context(void) {
  const int handle = pmNewContext(PM_CONTEXT_HOST, g_host);
  if (handle >= 0) pmDestroyContext(handle);
  pmUseContext(g_context);
  return handle < 0 ? handle : 0;
}
static int call_dup_context(void) {
  pmID pmid = g_single;
  pmResult* result;
  int sts;
  const int handle = pmDupContext();
  if (handle < 0) return handle;
  sts = pmFetch(1, &pmid, &result);
  if (sts >= 0) pmFreeResult(result);
  pmDestroyContext(handle);
  pmUseContext(g_context);
  return sts;
}
static int call_lookup_name(void) {
  const char* name = kSingle;
  pmID pmid;
  return pmLookupName(1, &name, &pmid);
}
static int call_lookup_names(void) {
  const char* names[] = {kSingle, kDisks};
  pmID pmids[2];
  return pmLookupName(2, names, pmids);
}
static int call_children(void) {
  char** list;
  const int sts = pmGetChildren("sim", &list);
  if (sts > 0) free(list);
  return sts;
}
static int call_children_status(void) {
  char** list;
  int *kinds, sts = pmGetChildrenStatus("sim.disks", &list, &kinds);
  if (sts > 0) free(list), free(kinds);
  return sts;
}
static int call_name_id(void) {
  char* name;
  const int sts = pmNameID(g_single, &name);
  if (sts >= 0) free(name);
  return sts;
}
static int call_name_all(void) {
  char** names;
  const int sts = pmNameAll(g_single, &names);
  if (sts > 0) free(names);
  return sts;
}
static void nothing(const char* name) { (void)name; }
static void nothing_more(const char* name, void* unused) {
  (void)name;
  (void)unused;
}
static int call_traverse(void) { return pmTraversePMNS("sim.disks", nothing); }
static int call_traverse_r(void) { return pmTraversePMNS_r("sim.single", nothing_more, NULL); }
static int call_desc(void) {
  pmDesc desc;
  return pmLookupDesc(g_single, &desc);
}
static int call_descs(void) {
  pmID pmids[2];
  pmDesc descs[2];
  pmids[0] = g_single, pmids[1] = g_disks;
  return pmLookupDescs(2, pmids, descs);
}
static int call_indom(void) {
  int* ids;
  char** names;
  const int sts = pmGetInDom(g_indom, &ids, &names);
  if (sts > 0) free(ids), free(names);
  return sts;
}
static int call_lookup_indom_code(void) {
  const int sts = pmLookupInDom(g_indom, "no such disk");
  return sts == PM_ERR_INST ? 0 : sts;
}
static int call_name_indom(void) {
  char* name;
  int sts = pmNameInDom(g_indom, -3, &name);
  return sts == PM_ERR_INST ? 0 : sts;
}
static int call_text(void) {
  char* text;
  const int sts = pmLookupText(g_single, PM_TEXT_ONELINE, &text);
  if (sts >= 0) free(text);
  return sts == PM_ERR_TEXT ? 0 : sts;
}
static int call_indom_text(void) {
  char* text;
  const int sts = pmLookupInDomText(g_indom, PM_TEXT_HELP, &text);
  if (sts >= 0) free(text);
  return sts == PM_ERR_TEXT ? 0 : sts;
}
static int call_fetch(void) {
  pmID pmids[2];
  pmResult* result;
  int sts;
  pmids[0] = g_single, pmids[1] = g_disks;
  sts = pmFetch(2, pmids, &result);
  if (sts >= 0) pmFreeResult(result);
  return sts;
}
static int call_fetch_fine(void) {
  pmID pmid = g_disks;
  pmHighResResult* result;
  const int sts = pmFetchHighRes(1, &pmid, &result);
  if (sts >= 0) pmFreeHighResResult(result);
  return sts;
}
static int call_fetch_profile(void) {
  int ids[1] = {1};
  const int sts = pmAddProfile(g_indom, 1, ids);
  return sts < 0 ? sts : call_fetch();
}
static int call_store(void) {
  pmValueSet set = {.pmid = g_single, .numval = 1, .valfmt = PM_VAL_INSITU};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  const int sts = pmStore(&result);
  return sts == PM_ERR_PERMISSION ? 0 : sts;
}
static int call_store_fine(void) {
  pmValueSet set = {.pmid = g_single, .numval = 1, .valfmt = PM_VAL_INSITU};
  pmHighResResult result = {.numpmid = 1, .vset = {&set}};
  const int sts = pmStoreHighRes(&result);
  return sts == PM_ERR_PERMISSION ? 0 : sts;
}
static int labels(int sts, pmLabelSet* sets) {
  if (sts > 0) pmFreeLabelSets(sets, sts);
  return sts;
}
static int call_context_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetContextLabels(&sets);
  return labels(sts, sets);
}
static int call_domain_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetDomainLabels(240, &sets);
  return labels(sts, sets);
}
static int call_indom_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetInDomLabels(g_indom, &sets);
  return labels(sts, sets);
}
static int call_cluster_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetClusterLabels(g_single, &sets);
  return labels(sts, sets);
}
static int call_item_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetItemLabels(g_single, &sets);
  return labels(sts, sets);
}
static int call_instance_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmGetInstancesLabels(g_indom, &sets);
  return labels(sts, sets);
}
static int call_all_labels(void) {
  pmLabelSet* sets = NULL;
  const int sts = pmLookupLabels(g_single, &sets);
  return labels(sts, sets);
}
static int call_zone(void) {
  const int sts = pmNewContextZone();
  return sts < 0 ? sts : 0;
}
static int call_derived_fetch(void) {
  const char* name = "faults.sum";
  pmID pmid;
  pmResult* result;
  int sts = pmLookupName(1, &name, &pmid);
  if (sts < 0) return sts;
  sts = pmFetch(1, &pmid, &result);
  if (sts >= 0) pmFreeResult(result);
  return sts;
}
/* Groups have contexts of their own. */
static int call_new_group(void) {
  pmFG group;
  const int sts = pmCreateFetchGroup(&group, PM_CONTEXT_HOST, g_host);
  if (sts >= 0) pmDestroyFetchGroup(group);
  pmUseContext(g_context);
  return sts;
}
static int group_with(int extends_late) {
  static pmFG group;
  static pmAtomValue value, values[8];
  static int codes[8], statuses[8];
  static char* names[8];
  static unsigned count;
  int sts = 0;
  if (extends_late == 2) { /* at its end */
    if (group) pmDestroyFetchGroup(group);
    group = NULL;
    return 0;
  }
  if (group == NULL) {
    sts = pmCreateFetchGroup(&group, PM_CONTEXT_HOST, g_host);
    if (sts < 0) return sts;
    sts = pmExtendFetchGroup_item(group, kSingle, NULL, NULL, &value, PM_TYPE_DOUBLE, NULL);
    pmUseContext(g_context);
    return sts;
  }
  if (extends_late) {
    sts = pmExtendFetchGroup_indom(group, "sim.disks.offset0", NULL, codes, names, values,
                                   PM_TYPE_64, statuses, 8, &count, NULL);
  } else {
    sts = pmFetchGroup(group);
  }
  pmUseContext(g_context);
  return sts;
}
static int call_fetch_group(void) { return group_with(0); }
static int call_extend_group(void) { return group_with(1); }

/* kNew: makes connections of its own; kGroup: has a context of its own; kKnown: what it brought
 * once is known, and is said again without asking; kTwo: the second of its calls is what counts;
 * kGrows: each call adds a zone. */
enum { kNew = 1, kGroup = 2, kKnown = 4, kTwo = 8, kGrows = 16 };
static const struct function {
  const char* name;
  int (*call)(void);
  int kind;
} kFunctions[] = {
    {"pmNewContext", call_new_context, kNew},
    {"pmDupContext", call_dup_context, 0},
    {"pmLookupName", call_lookup_name, kKnown},
    {"pmLookupName of two", call_lookup_names, kKnown},
    {"pmGetChildren", call_children, 0},
    {"pmGetChildrenStatus", call_children_status, 0},
    {"pmNameID", call_name_id, 0},
    {"pmNameAll", call_name_all, 0},
    {"pmTraversePMNS", call_traverse, 0},
    {"pmTraversePMNS_r", call_traverse_r, 0},
    {"pmLookupDesc", call_desc, 0},
    {"pmLookupDescs", call_descs, 0},
    {"pmGetInDom", call_indom, 0},
    {"pmLookupInDom", call_lookup_indom_code, 0},
    {"pmNameInDom", call_name_indom, 0},
    {"pmLookupText", call_text, 0},
    {"pmLookupInDomText", call_indom_text, 0},
    {"pmFetch", call_fetch, 0},
    {"pmFetchHighRes", call_fetch_fine, 0},
    {"pmAddProfile, pmFetch", call_fetch_profile, 0},
    {"pmStore", call_store, 0},
    {"pmStoreHighRes", call_store_fine, 0},
    {"pmGetContextLabels", call_context_labels, 0},
    {"pmGetDomainLabels", call_domain_labels, 0},
    {"pmGetInDomLabels", call_indom_labels, 0},
    {"pmGetClusterLabels", call_cluster_labels, 0},
    {"pmGetItemLabels", call_item_labels, 0},
    {"pmGetInstancesLabels", call_instance_labels, 0},
    {"pmLookupLabels", call_all_labels, kKnown},
    {"pmNewContextZone", call_zone, kGrows},
    {"pmFetch of a derived metric", call_derived_fetch, kTwo},
    {"pmCreateFetchGroup", call_new_group, kNew},
    {"pmFetchGroup", call_fetch_group, kGroup},
    {"pmExtendFetchGroup_indom", call_extend_group, kGroup},
};
enum { kFunctionCount = sizeof kFunctions / sizeof kFunctions[0] };

/* --- The faults ------------------------------------------------------------------------------ */

enum fault { kRestarted, kStopped, kSlow, kGone, kFaultCount };
static const char* const kFaultNames[] = {"restarted", "stopped", "slow", "gone"};

static int g_failed;
static void expect(int holds, const char* what, const struct function* function, int fault,
                   int sts) {
  if (holds || !g_judges) return;
  printf("FAILED %s, %s: %s (%d)\n", function->name, kFaultNames[fault], what, sts);
  ++g_failed;
}

/* What a program may be told of a connection that is lost. */
static int is_of_lost(int sts) {
  return sts == PM_ERR_IPC || sts == PM_ERR_EOF || sts == PM_ERR_NOTCONN || sts == -ECONNRESET ||
         sts == -EPIPE;
}

static int open_descriptors(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

/* Half the time that a request may take. */
static void continue_later(void) {
  const pid_t pmcd = g_pmcd;
  if (fork() == 0) {
    usleep(400 * 1000);
    kill(pmcd, SIGCONT);
    _exit(0);
  }
}

struct outcome {
  int first, second, reconnect, after;
};

static struct outcome suffer(const struct function* function, int fault, int used, int repair) {
  struct outcome out = {0};
  g_context = pmNewContext(PM_CONTEXT_HOST, g_host);
  if (g_context < 0) {
    printf("no context: %s\n", pmErrStr(g_context));
    exit(2);
  }
  if (function->kind == kGroup) used = 1;
  if (used) {
    const int good = function->call();
    expect(good >= 0, "does not work at all", function, fault, good);
  }
  switch (fault) {
    case kRestarted:
      kill_pmcd();
      start_pmcd();
      break;
    case kStopped: stop_pmcd(); break;
    case kSlow:
      stop_pmcd();
      continue_later();
      break;
    default: kill_pmcd(); break;
  }
  out.first = function->call();
  if (fault == kStopped) kill(g_pmcd, SIGCONT);
  if (fault == kSlow) wait(NULL);
  out.second = function->call();
  if (fault == kGone) {
    struct timespec failed, now;
    int early;
    out.reconnect = pmReconnectContext(g_context);
    clock_gettime(CLOCK_MONOTONIC, &failed);
    start_pmcd();
    early = pmReconnectContext(g_context);
    clock_gettime(CLOCK_MONOTONIC, &now);
    /* It waits a second before it tries again, though pmcd is there. */
    if (pmtimespecSub(&now, &failed) < 0.9)
      expect(early == -ETIMEDOUT, "reconnects before its time", function, fault, early);
    usleep(1100 * 1000);
  }
  if (repair) {
    const int sts = pmReconnectContext(g_context);
    if (fault != kGone || sts < 0) out.reconnect = sts < 0 ? sts : 0;
    out.after = function->kind == kGroup ? 0 : function->call();
  }
  if (function->kind == kGroup) group_with(2);
  pmDestroyContext(g_context);
  return out;
}

static void judge(const struct function* function, int fault, int used, struct outcome out) {
  const int new_one = function->kind == kNew;
  char texts[4][PM_MAXERRMSGLEN];
  const int codes[4] = {out.first, out.second, out.reconnect, out.after};
  for (int i = 0; i < 4; ++i) {
    if (codes[i] >= 0) {
      strcpy(texts[i], "good");
    } else {
      pmErrStr_r(codes[i], texts[i], sizeof texts[i]);
    }
  }
  printf("%s, %s, %s: %s; %s; reconnect %s; %s\n", function->name, used ? "used" : "fresh",
         kFaultNames[fault], texts[0], texts[1], texts[2], texts[3]);
  if (function->kind == kKnown && out.first >= 0 && used) return;
  switch (fault) {
    case kRestarted:
      expect(new_one ? out.first >= 0 : is_of_lost(out.first), "is no lost connection", function,
             fault, out.first);
      /* So does each call until pmReconnectContext(). */
      expect(function->kind == kNew || function->kind == kGroup || is_of_lost(out.second),
             "goes on by itself", function, fault, out.second);
      break;
    case kStopped:
      expect(out.first == PM_ERR_TIMEOUT || (function->kind == kTwo && is_of_lost(out.first)),
             "does not time out", function, fault, out.first);
      break;
    case kSlow: expect(out.first >= 0, "does not wait", function, fault, out.first); break;
    default:
      expect(new_one ? out.first == -ECONNREFUSED : is_of_lost(out.first), "is no lost connection",
             function, fault, out.first);
      expect(out.reconnect < 0, "a host that is gone is there", function, fault, out.reconnect);
      break;
  }
  if (fault != kGone) {
    expect(out.reconnect >= 0, "cannot reconnect", function, fault, out.reconnect);
  }
  expect(out.after >= 0, "does not work after pmReconnectContext()", function, fault, out.after);
}

/* Again and again, without the time that waiting takes: nothing grows. What a thread holds for a
 * moment is no leak, for that would grow once more. */
static void look_for_leaks(const struct function* function) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    size_t before = 0;
    int open = 0;
    for (int round = 0; round < kRounds; ++round) {
      if (round == kRounds / 2) before = mallinfo2().uordblks, open = open_descriptors();
      suffer(function, kRestarted, 1, round % 2);
    }
    expect(open_descriptors() == open, "descriptors are left open", function, kRestarted,
           open_descriptors() - open);
    if (function->kind == kGrows || mallinfo2().uordblks <= before + kGrowthBytes) return;
  }
  expect(0, "memory grows", function, kRestarted, kGrowthBytes);
}

static void discover(void) {
  const char* names[] = {kSingle, kDisks};
  pmID pmids[2];
  pmDesc desc;
  const int context = pmNewContext(PM_CONTEXT_HOST, g_host);
  if (context < 0 || pmLookupName(2, names, pmids) != 2 || pmLookupDesc(pmids[1], &desc) < 0) {
    printf("the simulated host is not as expected\n");
    exit(2);
  }
  g_single = pmids[0], g_disks = pmids[1], g_indom = desc.indom;
  pmDestroyContext(context);
}

static int suffer_all(const struct function* function) {
  int open;
  start_pmcd();
  discover();
  pmRegisterDerived("faults.sum", "sim.single.level0 + 1");
  open = open_descriptors();
  for (int fault = 0; fault < kFaultCount; ++fault) {
    for (int used = 0; used < 2; ++used) {
      judge(function, fault, used, suffer(function, fault, used, 1));
    }
  }
  expect(open_descriptors() == open, "descriptors are left open", function, kGone,
         open_descriptors() - open);
  if (g_judges) look_for_leaks(function);
  kill_pmcd();
  return g_failed != 0;
}

/* --- A process each -------------------------------------------------------------------------- */

static FILE* g_out[kFunctionCount];

static void begin(int which) {
  g_out[which] = tmpfile();
  fflush(stdout);
  if (fork() == 0) {
    int failed;
    dup2(fileno(g_out[which]), STDOUT_FILENO);
    failed = suffer_all(&kFunctions[which]);
    fflush(stdout);
    _exit(failed);
  }
}

int main(int argc, char** argv) {
  const char* only = argc > 3 ? argv[3] : "";
  int failed = 0, running = 0, status, count = 0;
  char line[512];
  if (argc < 2) return 2;
  g_program = argv[1];
  g_judges = argc < 3 || strcmp(argv[2], "--lines") != 0;
  signal(SIGPIPE, SIG_IGN);
  setenv("PMCD_CONNECT_TIMEOUT", "1", 1);
  setenv("PMCD_REQUEST_TIMEOUT", "1", 1);
  setenv("PMCD_RECONNECT_TIMEOUT", "1", 1);
  setenv("PCP_DERIVED_CONFIG", "", 1);
  for (int i = 0; i < kFunctionCount; ++i) {
    if (strstr(kFunctions[i].name, only) == NULL) continue;
    if (running == kMostChildren) wait(&status), failed += status != 0, --running;
    begin(i);
    ++running, ++count;
  }
  for (; running > 0; --running) wait(&status), failed += status != 0;
  for (int i = 0; i < kFunctionCount; ++i) {
    if (g_out[i] == NULL) continue;
    rewind(g_out[i]);
    while (fgets(line, sizeof line, g_out[i])) fputs(line, stdout);
  }
  printf("%d functions, %d faults each, %d functions failed\n", count, kFaultCount, failed);
  return failed != 0;
}
