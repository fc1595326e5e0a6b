/* Fetch groups: every kind of item, over times with and without values. */
#include "program.h"

enum { ROOM = 100 };
struct column {
  int codes[ROOM], statuses[ROOM], status;
  char* names[ROOM];
  pmAtomValue values[ROOM];
  unsigned count;
};

static pmFG group;
static pmAtomValue load, user, share, text;
static int load_status = 77, user_status = 77, share_status = 77, text_status = 77;
static struct timeval when;
static struct column reads, bytes, few;

static int add_item(const char* name, const char* instance, const char* scale, pmAtomValue* out,
                    int type, int* status) {
  return pmExtendFetchGroup_item(group, name, instance, scale, out, type, status);
}

static int add_column(const char* name, const char* scale, struct column* out, int type,
                      unsigned room) {
  return pmExtendFetchGroup_indom(group, name, scale, out->codes, out->names, out->values, type,
                                  out->statuses, room, &out->count, &out->status);
}

static void extend(void) {
  SHOW(add_item("no.such", NULL, NULL, &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(pmWhichContext());
  SHOW(add_item("no.such", "x", "zz", &load, 99, &load_status));
  SHOW(add_item("kernel.all.load", NULL, NULL, &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(add_item("kernel.all.load", "zz", NULL, &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(add_item("kernel.all.load", "zz", NULL, &load, 99, &load_status));
  SHOW(add_item("kernel.all.load", "1 minute", "zz", &load, 99, &load_status));
  SHOW(add_item("kernel.all.load", "1 minute", "zz", &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(add_item("kernel.all.load", "1 minute", "Kbyte", &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(add_item("kernel.all.load", "1 minute", NULL, &load, PM_TYPE_DOUBLE, &load_status));
  SHOW(add_item("kernel.all.cpu.user", "x", NULL, &user, PM_TYPE_DOUBLE, &user_status));
  SHOW(add_item("kernel.all.cpu.user", NULL, NULL, &user, PM_TYPE_DOUBLE, &user_status));
  SHOW(add_item("kernel.all.cpu.user", NULL, "sec/sec", &share, PM_TYPE_DOUBLE, &share_status));
  SHOW(add_item("kernel.all.cpu.user", NULL, "instant", &text, PM_TYPE_STRING, &text_status));
  SHOW(add_column("disk.dev.read", NULL, &reads, PM_TYPE_U64, ROOM));
  SHOW(add_column("disk.dev.total_bytes", "byte/hour", &bytes, PM_TYPE_STRING, ROOM));
  SHOW(add_column("disk.dev.read", NULL, &few, PM_TYPE_U64, 1));
  SHOW(pmExtendFetchGroup_indom(group, "hinv.ncpu", NULL, NULL, NULL, NULL, PM_TYPE_U64, NULL, 1,
                                NULL, NULL));
  SHOW(pmExtendFetchGroup_event(group, "hinv.ncpu", NULL, "hinv.ncpu", NULL, NULL, NULL,
                                PM_TYPE_U64, NULL, 1, NULL, NULL));
  SHOW(pmExtendFetchGroup_timestamp(group, &when));
  printf("sts %d %d\n", load_status, user_status);
}

static void show_column(const struct column* of, int as_text) {
  unsigned i;
  printf("%d, %u values\n", of->status, of->count);
  for (i = 0; of->status == 0 && i < of->count; ++i) {
    printf("  %d %s %d ", of->codes[i], of->names[i], of->statuses[i]);
    if (as_text)
      printf("%s\n", of->values[i].cp ? of->values[i].cp : "none");
    else
      printf("%llu\n", (unsigned long long)of->values[i].ull);
  }
}

int main(int argc, char** argv) {
  pmLogLabel label;
  pmFG other = NULL;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmWhichContext());
  SHOW(pmGetFetchGroupContext(group));
  SHOW(pmCreateFetchGroup(NULL, PM_CONTEXT_ARCHIVE, argv[2]));
  SHOW(pmCreateFetchGroup(&other, PM_CONTEXT_ARCHIVE, "nonexistent/archive"));
  extend();
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 20000));
  SHOW(pmUseContext(0));
  for (i = 0; i < 5; i++) {
    SHOW(pmFetchGroup(group));
    SHOW(pmWhichContext());
    printf("%ld.%06ld\n", (long)when.tv_sec, (long)when.tv_usec);
    printf("%g %d, %.17g %d, %.17g %d, %s %d\n", load.d, load_status, user.d, user_status, share.d,
           share_status, text_status ? "" : text.cp, text_status);
    show_column(&reads, 0);
    show_column(&bytes, 1);
    show_column(&few, 0);
  }
  SHOW(pmDestroyFetchGroup(group));
  SHOW(pmWhichContext());
  return 0;
}
