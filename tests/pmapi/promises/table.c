/* What of a context each function's result depends on: the source, the profile, the time. Each is
 * called in a new context, in one whose profile is another, in one at another time, and in one of
 * another source. */
#include <stdarg.h>

#include "parts.h"

#define SOURCE "meta-v3" /* me.a has the instances 1 and 2, from its end on 1 and 7 */
static const pmInDom g_domain = 245u << 22 | 2;
static const pmID g_metric = 245u << 22 | 7 << 10;
static const struct timeval g_end = {1700000030, 0};

enum { kRoom = 4000 };
static char g_text[kRoom];
static void say(const char* format, ...) {
  const size_t used = strlen(g_text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(g_text + used, kRoom - used, format, arguments);
  va_end(arguments);
}
static void say_list(int count, char** list, int* numbers) {
  say("%d", count);
  for (int i = 0; i < count; ++i) say(" %s/%d", list[i], numbers ? numbers[i] : 0);
  if (count <= 0) return;
  free(list);
  free(numbers);
}
static void say_one(int sts, char* text) {
  say("%d %s", sts, sts < 0 ? "" : text);
  if (sts >= 0) free(text);
}
static void say_set(const pmResult* result) {
  for (int i = 0; i < result->numpmid; ++i)
    if (result->vset[i]->pmid == g_metric) say(" %d values", result->vset[i]->numval);
}
/* How many values it has, and when. */
static void say_fetch(int with_time) {
  pmID pmid = g_metric;
  pmResult* result = NULL;
  const int sts = pmFetch(1, &pmid, &result);
  if (sts < 0) {
    say("%d", sts);
    return;
  }
  say_set(result);
  if (with_time) say(" at %ld", (long)result->timestamp.tv_sec);
  pmFreeResult(result);
}

static void add_profile(void) {
  int one[] = {1};
  say("%d", pmAddProfile(g_domain, 1, one));
  say_fetch(0);
}
static void del_profile(void) {
  int one[] = {1};
  say("%d", pmDelProfile(g_domain, 1, one));
  say_fetch(0);
}
static void dup_context(void) {
  const int copy = pmDupContext();
  say("%d", copy >= 0);
  say_fetch(1);
  pmDestroyContext(copy);
}
static void fetch(void) { say_fetch(1); }
static void fetch_archive(void) {
  pmResult* result = NULL;
  const int sts = pmFetchArchive(&result);
  say("%d", sts);
  if (sts < 0) return;
  say(" at %ld", (long)result->timestamp.tv_sec);
  say_set(result);
  pmFreeResult(result);
}
static void archive_end(void) {
  struct timeval end = {0, 0};
  const int sts = pmGetArchiveEnd(&end);
  say("%d %ld", sts, (long)end.tv_sec);
}
static void archive_label(void) {
  pmLogLabel label;
  memset(&label, 0, sizeof label);
  const int sts = pmGetArchiveLabel(&label);
  say("%d %s %x", sts, label.ll_hostname, (unsigned)label.ll_magic);
}
static void children(void) {
  char** list = NULL;
  const int count = pmGetChildren("me", &list);
  say_list(count, list, NULL);
}
static void children_status(void) {
  char** list = NULL;
  int *status = NULL, count = pmGetChildrenStatus("me", &list, &status);
  say_list(count, list, status);
}
static void host_name(void) { say("%s", pmGetContextHostName(pmWhichContext())); }
static void location(void) { say("%d", pmGetPMNSLocation()); }
static void indom(void) {
  char** list = NULL;
  int *ids = NULL, count = pmGetInDom(g_domain, &ids, &list);
  say_list(count, list, ids);
}
static void indom_archive(void) {
  char** list = NULL;
  int *ids = NULL, count = pmGetInDomArchive(g_domain, &ids, &list);
  say_list(count, list, ids);
}
static void descriptor(void) {
  pmDesc desc = {.type = -7};
  const int sts = pmLookupDesc(g_metric, &desc);
  say("%d %d %d", sts, desc.type, desc.sem);
}
static void look_up_instance(void) { say("%d", pmLookupInDom(g_domain, "seven")); }
static void look_up_archive(void) { say("%d", pmLookupInDomArchive(g_domain, "seven")); }
static void indom_text(void) {
  char* text = NULL;
  const int sts = pmLookupInDomText(g_domain, PM_TEXT_ONELINE, &text);
  say_one(sts, text);
}
static void look_up_name(void) {
  const char* names[] = {"me.a", "simple.color"};
  pmID ids[2] = {0, 0};
  const int count = pmLookupName(2, names, ids);
  say("%d %x %x", count, ids[0], ids[1]);
}
static void look_up_text(void) {
  char* text = NULL;
  const int sts = pmLookupText(g_metric, PM_TEXT_HELP, &text);
  say_one(sts, text);
}
static void name_all(void) {
  char** list = NULL;
  const int count = pmNameAll(g_metric, &list);
  say_list(count, list, NULL);
}
static void name_id(void) {
  char* name = NULL;
  const int sts = pmNameID(g_metric, &name);
  say_one(sts, name);
}
static void name_instance(void) {
  char* name = NULL;
  const int sts = pmNameInDom(g_domain, 7, &name);
  say_one(sts, name);
}
static void name_archive(void) {
  char* name = NULL;
  const int sts = pmNameInDomArchive(g_domain, 7, &name);
  say_one(sts, name);
}
static void set_mode(void) {
  pmID pmid = g_metric;
  pmResult* result = NULL;
  say("%d", pmSetMode(PM_MODE_INTERP, NULL, 1000));
  if (pmFetch(1, &pmid, &result) < 0) return;
  say(" at %ld", (long)result->timestamp.tv_sec);
  pmFreeResult(result);
}
static void store(void) {
  pmValueSet set = {.pmid = pmID_build(253, 0, 0), .numval = 1, .valfmt = PM_VAL_INSITU};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  say("%d", pmStore(&result));
}
static void leaf(const char* name) { say(" %s", name); }
static void traverse(void) { say("%d", pmTraversePMNS("me", leaf)); }

enum { kProfile = 1, kTime = 2, kArchives = 4, kHosts = 8 };
static const struct row {
  const char* id;
  void (*call)(void);
  int depends;
} g_rows[] = {
    {"pmapi.context.table.pmAddProfile", add_profile, kProfile},
    {"pmapi.context.table.pmDelProfile", del_profile, kProfile},
    {"pmapi.context.table.pmDupContext", dup_context, kProfile | kTime},
    {"pmapi.context.table.pmFetch", fetch, kProfile | kTime},
    {"pmapi.context.table.pmFetchArchive", fetch_archive, kTime | kArchives},
    {"pmapi.context.table.pmGetArchiveEnd", archive_end, kArchives},
    {"pmapi.context.table.pmGetArchiveLabel", archive_label, kArchives},
    {"pmapi.context.table.pmGetChildren", children, 0},
    {"pmapi.context.table.pmGetChildrenStatus", children_status, 0},
    {"pmapi.context.table.pmGetContextHostName", host_name, 0},
    {"pmapi.context.table.pmGetPMNSLocation", location, 0},
    {"pmapi.context.table.pmGetInDom", indom, kTime},
    {"pmapi.context.table.pmGetInDomArchive", indom_archive, kArchives},
    {"pmapi.context.table.pmLookupDesc", descriptor, 0},
    {"pmapi.context.table.pmLookupInDom", look_up_instance, kTime},
    {"pmapi.context.table.pmLookupInDomArchive", look_up_archive, kArchives},
    {"pmapi.context.table.pmLookupInDomText", indom_text, 0},
    {"pmapi.context.table.pmLookupName", look_up_name, 0},
    {"pmapi.context.table.pmLookupText", look_up_text, 0},
    {"pmapi.context.table.pmNameAll", name_all, 0},
    {"pmapi.context.table.pmNameID", name_id, 0},
    {"pmapi.context.table.pmNameInDom", name_instance, kTime},
    {"pmapi.context.table.pmNameInDomArchive", name_archive, kArchives},
    {"pmapi.context.table.pmSetMode", set_mode, kTime},
    {"pmapi.context.table.pmStore", store, kHosts},
    {"pmapi.context.table.pmTraversePMNS", traverse, 0},
};

/* What the call says in a context of that source that has been changed so. */
static char* said_in(const char* archive, const struct row* row, int change) {
  int two[] = {2, 7};
  const int context = archive != NULL ? open_archive(archive) : open_host();
  if (change == kProfile) pmAddProfile(g_domain, 2, two);
  if (change == kTime && archive != NULL) pmSetMode(PM_MODE_FORW, &g_end, 0);
  g_text[0] = '\0';
  row->call();
  pmDestroyContext(context);
  return strdup(g_text);
}

static void promise_row(const struct row* row) {
  const char* const source = row->depends & kHosts ? NULL : SOURCE;
  char* const before = said_in(source, row, 0);
  char* const profile = said_in(source, row, kProfile);
  char* const time = said_in(source, row, kTime);
  char* const again = said_in(source, row, 0);
  char* const other = said_in(row->depends & kArchives ? "insts4" : source ? NULL : SOURCE, row, 0);
  char* const host = said_in(NULL, row, 0);
  PROMISE(row->id, strcmp(before, again) == 0);
  PROMISE(row->id, strcmp(before, other) != 0);
  /* PCP 6.0.3 does not copy the profile. */
  if (row->call == dup_context) {
    PROMISE_OF_OURS(row->id, strcmp(before, profile) != 0);
  } else {
    PROMISE(row->id, (strcmp(before, profile) != 0) == ((row->depends & kProfile) != 0));
  }
  PROMISE(row->id, (strcmp(before, time) != 0) == ((row->depends & kTime) != 0));
  if (row->depends & kArchives) PROMISE(row->id, atoi(host) == PM_ERR_NOTARCHIVE);
  if (row->depends & kHosts) PROMISE(row->id, atoi(other) == PM_ERR_NOTHOST && atoi(host) == 0);
  free(before), free(profile), free(time), free(again), free(other), free(host);
}

void promises_table(void) {
  for (size_t i = 0; i < sizeof g_rows / sizeof g_rows[0]; ++i) promise_row(&g_rows[i]);
}
