/* Calls about contexts and what they name: metrics, instances, texts, labels, derived metrics. */
#include "twin.h"

struct known known;

static void keep_name(const char* name, void* unused) {
  (void)unused;
  if (known.name_count == 4096 || strncmp(name, "event.", 6) == 0) return;
  known.names[known.name_count++] = strdup(name);
}

void know_archives(int count, char** archives) {
  known.names = calloc(4096, sizeof(char*));
  for (int i = 0; i < count && i < 8; ++i) {
    const int handle = pmNewContext(PM_CONTEXT_ARCHIVE, archives[i]);
    const int from = known.name_count;
    known.archives[known.archive_count++] = archives[i];
    if (handle < 0) exit(3);
    pmTraversePMNS_r("", keep_name, NULL);
    for (int k = from; k < known.name_count; ++k) {
      pmDesc desc;
      const char* name = known.names[k];
      known.pmids[k] = PM_ID_NULL;
      known.indoms[k] = PM_INDOM_NULL;
      if (pmLookupName(1, &name, &known.pmids[k]) < 0) continue;
      if (IS_DERIVED(known.pmids[k])) known.pmids[k] = PM_ID_NULL; /* those of event records */
      if (pmLookupDesc(known.pmids[k], &desc) >= 0) known.indoms[k] = desc.indom;
    }
    known.contexts[known.context_count++] = handle;
  }
}

const char* pick_name(void) {
  static const char* const others[] = {"",           "disk", "disk.dev", "no.such",
                                       "kernel.all", ".",    "a..b",     "twin.rate",
                                       "twin.sum",   "hinv", "disk."};
  return pick(4) ? known.names[pick((unsigned)known.name_count)] : PICK_OF(others);
}
const char* pick_archived(void) { return known.names[pick((unsigned)known.name_count)]; }
pmID pick_pmid(void) {
  return pick(12)  ? known.pmids[pick((unsigned)known.name_count)]
         : pick(2) ? PM_ID_NULL
                   : pmID_build(pick(511), pick(4096), pick(1024));
}
pmInDom pick_indom(void) {
  return pick(12)  ? known.indoms[pick((unsigned)known.name_count)]
         : pick(2) ? PM_INDOM_NULL
                   : pmInDom_build(pick(512), pick(100));
}

/* Never the live one: what it brings moves. */
static int pick_context(void) {
  const int handle =
      pick(8) ? known.contexts[pick((unsigned)known.context_count)] : (int)pick(30) - 2;
  return known.host && handle == known.live_context ? -1 : handle;
}
static void keep_context(int handle) {
  if (handle < 0) return;
  if (known.context_count < 16) {
    known.contexts[known.context_count++] = handle;
  } else {
    const unsigned at = (unsigned)known.archive_count + pick(16 - (unsigned)known.archive_count);
    pmDestroyContext(known.contexts[at]);
    known.contexts[at] = handle;
  }
}
static void call_new(void) {
  const int handle = pick(8) ? pmNewContext(PM_CONTEXT_ARCHIVE,
                                            known.archives[pick((unsigned)known.archive_count)])
                             : pmNewContext(PM_CONTEXT_ARCHIVE, "no/such/archive");
  say(" %d", handle < 0 ? handle : 0);
  keep_context(handle);
}
/* Of a fresh context: after a fetch that found the end, PCP 6.0.3 goes on from another time. */
static void call_dup(void) {
  const int fresh =
      pmNewContext(PM_CONTEXT_ARCHIVE, known.archives[pick((unsigned)known.archive_count)]);
  const int handle = pmDupContext();
  say(" %d", handle < 0 ? handle : 0);
  pmDestroyContext(fresh);
  pmUseContext(handle);
  keep_context(handle);
}
static void call_use(void) { say(" %d", pmUseContext(pick_context())); }
static void call_destroy(void) {
  const int handle = pick_context();
  for (int i = 0; i < known.archive_count; ++i) {
    if (handle == known.contexts[i]) return; /* one of each archive stays */
  }
  say(" %d", pmDestroyContext(handle));
}
static void call_which(void) {
  char buffer[256];
  say(" %d", pmWhichContext());
  say_text(pmGetContextHostName_r(pmWhichContext(), buffer, sizeof buffer));
  say(" %d", pmGetPMNSLocation());
}
static void call_reconnect(void) { say(" %d", pmReconnectContext(pick_context())); }

static void call_lookup_name(void) {
  const char* names[4];
  pmID pmids[4] = {};
  int sts;
  const int count = (int)pick(4) + 1;
  for (int i = 0; i < 4; ++i) names[i] = pick_name();
  for (int i = 0; i < count; ++i) say_text(names[i]);
  sts = pmLookupName(count, names, pmids);
  say(": %d", sts);
  for (int i = 0; i < count && sts >= 0; ++i) say(" %x", pmids[i]);
}
static void call_name_id(void) {
  char* name = NULL;
  const pmID pmid = pick_pmid();
  const int sts = pmNameID(pmid, &name);
  say(" %x: %d", pmid, sts);
  if (sts >= 0) say_text(name), free(name);
}
static void call_name_all(void) {
  char** names = NULL;
  const pmID pmid = pick_pmid();
  const int sts = pmNameAll(pmid, &names);
  say(" %x: %d", pmid, sts);
  for (int i = 0; i < sts; ++i) say_text(names[i]);
  if (sts > 0) free(names);
}
static void call_children(void) {
  char **names = NULL, parent[256];
  int *statuses = NULL, sts;
  snprintf(parent, sizeof parent, "%s", pick_name());
  if (pick(2)) {
    char* dot = strchr(parent, '.');
    if (dot) *dot = '\0';
  }
  if (*parent == '\0') return;
  sts = pick(2) ? pmGetChildren(parent, &names) : pmGetChildrenStatus(parent, &names, &statuses);
  say(" %s: %d", parent, sts);
  for (int i = 0; i < sts; ++i) say_text(names[i]), say(" %d", statuses ? statuses[i] : 0);
  if (sts > 0) free(names), free(statuses);
}
/* Derived metrics of both kinds have another order below the root. */
static void say_leaf(const char* name, void* whole) {
  if (whole && (strncmp(name, "twin.", 5) == 0 || strncmp(name, "mine.", 5) == 0)) return;
  say_text(name);
}
static void call_traverse(void) {
  const char* name = pick(30) ? pick_name() : "";
  say(" %s", name);
  if (*name == '\0' && pick(20)) return; /* all of them take long */
  say(": %d", pmTraversePMNS_r(name, say_leaf, *name == '\0' ? &known : NULL));
}

static void say_desc(const pmDesc* desc) {
  unsigned units;
  memcpy(&units, &desc->units, sizeof units);
  say(" %x %d %x %d %x", desc->pmid, desc->type, desc->indom, desc->sem, units);
}
static void call_desc(void) {
  pmDesc desc;
  const pmID pmid = pick_pmid();
  const int sts = pmLookupDesc(pmid, &desc);
  say(" %x: %d", pmid, sts);
  if (sts >= 0) say_desc(&desc);
}
static void call_descs(void) {
  pmID pmids[3];
  pmDesc descs[3];
  int sts;
  for (int i = 0; i < 3; ++i) pmids[i] = pick_pmid();
  sts = pmLookupDescs(3, pmids, descs);
  say(" %x %x %x: %d", pmids[0], pmids[1], pmids[2], sts);
  for (int i = 0; i < 3 && sts > 0; ++i) say(" %x", descs[i].pmid);
}
static void call_print_desc(void) {
  pmDesc desc;
  FILE* file;
  if (pmLookupDesc(pick_pmid(), &desc) < 0) return;
  file = begin_file();
  pmPrintDesc(file, &desc);
  say_file(file);
}

static void call_indom(void) {
  int* ids = NULL;
  char** names = NULL;
  const pmInDom indom = pick_indom();
  const int all = (int)pick(2);
  const int sts = all ? pmGetInDomArchive(indom, &ids, &names) : pmGetInDom(indom, &ids, &names);
  say(" %d %x: %d", all, indom, sts);
  for (int i = 0; i < sts; ++i) say(" %d", ids[i]), say_text(names[i]);
  if (sts > 0) free(ids), free(names);
}
static void call_instance(void) {
  static const char* const names[] = {"sda", "sdb",     "1 minute", "1",   "cpu0",
                                      "sd",  "no such", "",         "eth0"};
  const pmInDom indom = pick_indom();
  const char* name = PICK_OF(names);
  char* found = NULL;
  const int id = (int)pick(12) - 1;
  int sts;
  say(" %x", indom);
  switch (pick(4)) {
    case 0: say(" %s: %d", name, pmLookupInDom(indom, name)); return;
    case 1: say(" ever %s: %d", name, pmLookupInDomArchive(indom, name)); return;
    case 2: sts = pmNameInDom(indom, id, &found); break;
    default: sts = pmNameInDomArchive(indom, id, &found); break;
  }
  say(" %d: %d", id, sts);
  if (sts >= 0) say_text(found), free(found);
}
static void call_text(void) {
  char* text = NULL;
  const int kind = pick(2) ? PM_TEXT_ONELINE : PM_TEXT_HELP;
  const int sts = pick(2) ? pmLookupText(pick_pmid(), kind, &text)
                          : pmLookupInDomText(pick_indom(), kind, &text);
  say(" %d: %d", kind, sts);
  if (sts >= 0) say_text(text), free(text);
}
/* Libraries know a cluster in an archive by the pmid with the item 0 alone. */
static pmID pick_mask(void) { return pick(2) ? ~0u : ~0x3ffu; }
static void call_labels(void) {
  pmLabelSet* sets = NULL;
  int sts;
  const unsigned which = pick(6);
  const pmID pmid = pick_pmid();
  pmLogLabel label;
  /* At a time that is known: after a fetch that found the end the two sometimes disagree on it. */
  if (pmGetArchiveLabel(&label) < 0) return;
  label.ll_start.tv_sec += (time_t)pick(4000);
  pmSetMode(PM_MODE_FORW, &label.ll_start, 0);
  switch (which) {
    case 0: sts = pmGetContextLabels(&sets); break;
    case 1: sts = pmGetDomainLabels((int)pick(300), &sets); break;
    case 2: sts = pmGetInDomLabels(pick_indom(), &sets); break;
    case 3: sts = pmGetClusterLabels(pmid & pick_mask(), &sets); break;
    case 4: sts = pmGetItemLabels(pmid, &sets); break;
    default: sts = pmGetInstancesLabels(pick_indom(), &sets); break;
  }
  say(" %u %x %ld: %d", which, pmid, (long)label.ll_start.tv_sec, sts);
  for (int i = 0; i < sts; ++i) {
    say(" %u %d", sets[i].inst, sets[i].nlabels);
    if (sets[i].json) say(" %.*s", (int)sets[i].jsonlen, sets[i].json);
  }
  if (sts > 0) pmFreeLabelSets(sets, sts);
}
/* In a context only what it can compute: PCP 6.0.3 hides the others from their parents. */
static void call_derived(void) {
  static const char* const texts[][2] = {{"rate(disk.dev.read)", "disk.dev.read"},
                                         {"kernel.all.load * 2", "kernel.all.load"},
                                         {"1 +", NULL},
                                         {"disk.dev.read + disk.dev.write", "disk.dev.read"},
                                         {"sum(disk.dev.read)", "disk.dev.read"},
                                         {"mem.freemem / 0", "mem.freemem"},
                                         {"instant(kernel.all.load)", "kernel.all.load"}};
  char name[32], *message = NULL;
  const char* const* text = PICK_OF(texts);
  pmID pmid;
  int sts;
  const int everywhere = (int)pick(2); /* not under one parent: the order differs */
  snprintf(name, sizeof name, "%s.d%u", everywhere ? "twin" : "mine", pick(40));
  if (everywhere) {
    sts = pmRegisterDerivedMetric(name, text[0], &message);
  } else {
    if (text[1] && pmLookupName(1, (const char**)&text[1], &pmid) < 1) return;
    sts = pmAddDerivedMetric(name, text[0], &message);
  }
  say(" %s=%s: %d", name, text[0], sts);
  if (sts < 0) say_text(message), free(message);
}

const struct call name_calls[] = {
    {"pmNewContext", 1, call_new},           {"pmDupContext", 1, call_dup},
    {"pmUseContext", 6, call_use},           {"pmDestroyContext", 1, call_destroy},
    {"pmWhichContext", 2, call_which},       {"pmReconnectContext", 1, call_reconnect},
    {"pmLookupName", 8, call_lookup_name},   {"pmNameID", 4, call_name_id},
    {"pmNameAll", 3, call_name_all},         {"pmGetChildren", 4, call_children},
    {"pmTraversePMNS_r", 2, call_traverse},  {"pmLookupDesc", 6, call_desc},
    {"pmLookupDescs", 2, call_descs},        {"pmPrintDesc", 2, call_print_desc},
    {"pmGetInDom", 4, call_indom},           {"pmLookupInDom", 6, call_instance},
    {"pmLookupText", 2, call_text},          {"pmGetLabels", 3, call_labels},
    {"pmAddDerivedMetric", 1, call_derived}, {NULL, 0, NULL}};
