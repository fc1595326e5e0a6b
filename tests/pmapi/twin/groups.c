/* Fetch groups: each call makes one, extends it, fetches now and then, and ends it. */
#include "twin.h"

enum { kItems = 5, kInstances = 24 };

struct item {
  pmAtomValue value, values[kInstances];
  int sts, codes[kInstances], statuses[kInstances], type, many;
  char* names[kInstances];
  unsigned count;
  int used;
};

static const char* pick_scale(void) {
  static const char* const scales[] = {"instant", "rate", "Kbyte",    "count / sec", "Mbyte/hour",
                                       "foo",     "",     "millisec", "sec / sec",   "count"};
  return pick(3) ? NULL : PICK_OF(scales);
}
static const char* pick_instance(void) {
  static const char* const some[] = {"sda", "1 minute", "cpu0", "no such", "5 minute",
                                     "sdb", "bin-100",  "1",    "eth0"};
  return pick(2) ? NULL : PICK_OF(some);
}

static void extend(pmFG group, struct item* item, int live) {
  static const int types[] = {PM_TYPE_32,    PM_TYPE_U32,    PM_TYPE_64,     PM_TYPE_U64,
                              PM_TYPE_FLOAT, PM_TYPE_DOUBLE, PM_TYPE_STRING, PM_TYPE_EVENT};
  const char* name = pick(12) ? (live ? pick_steady() : pick_archived()) : pick_name();
  const char *scale = pick_scale(), *instance = pick_instance();
  int sts;
  memset(item, 0, sizeof *item);
  item->type = types[pick(pick(10) ? 7 : 8)];
  /* Of a text as a number the real library looks at an errno that another call has left. */
  if (strncmp(name, "sample.string", 13) == 0) item->type = PM_TYPE_STRING;
  item->many = (int)pick(3) > 0;
  item->sts = 1;
  if (item->many) {
    const unsigned room = pick(10) ? kInstances : pick(3);
    sts = pmExtendFetchGroup_indom(group, name, scale, item->codes, item->names, item->values,
                                   item->type, item->statuses, room, &item->count,
                                   pick(8) ? &item->sts : NULL);
  } else {
    sts = pmExtendFetchGroup_item(group, name, instance, scale, &item->value, item->type,
                                  pick(8) ? &item->sts : NULL);
  }
  say(" {%s", name), say_text(instance), say_text(scale);
  say(" %d %d: %d}", item->type, item->many, sts);
  item->used = sts >= 0;
}

static void say_atom(const pmAtomValue* atom, int type) {
  switch (type) {
    case PM_TYPE_32: say("%d", atom->l); break;
    case PM_TYPE_U32: say("%u", atom->ul); break;
    case PM_TYPE_64: say("%lld", (long long)atom->ll); break;
    case PM_TYPE_U64: say("%llu", (unsigned long long)atom->ull); break;
    case PM_TYPE_FLOAT: say("%.7g", atom->f); break;
    case PM_TYPE_DOUBLE: say("%.15g", atom->d); break;
    case PM_TYPE_STRING: say_text(atom->cp); break;
    default: break;
  }
}
static void say_item(const struct item* item, int live) {
  if (!item->used) return;
  say(" <%d", item->sts);
  if (live) { /* a rate depends on when it is fetched */
    say(" %u>", item->count);
    return;
  }
  if (!item->many) say(" "), say_atom(&item->value, item->type);
  for (unsigned i = 0; i < item->count && i < kInstances; ++i) {
    say(" %d", item->codes[i]), say_text(item->names[i]), say(" %d ", item->statuses[i]);
    if (item->statuses[i] >= 0) say_atom(&item->values[i], item->type);
  }
  say(">");
}

static void place(int context) {
  static const int steps[] = {1000, 60000, 30000, -5000};
  pmLogLabel label;
  const int current = pmWhichContext();
  if (pmUseContext(context) < 0 || pmGetArchiveLabel(&label) < 0) return;
  label.ll_start.tv_sec += (time_t)pick(3000);
  label.ll_start.tv_usec = 0;
  say(" mode %d",
      pmSetMode(pick(4) ? PM_MODE_INTERP : PM_MODE_FORW, &label.ll_start, PICK_OF(steps)));
  pmUseContext(current);
}

static void run_group(int live, const char* source) {
  struct item* items = calloc(kItems, sizeof *items);
  struct timeval coarse = {};
  struct timespec fine = {};
  pmFG group = NULL;
  const int current = pmWhichContext();
  const int count = 1 + (int)pick(kItems);
  int sts = pmCreateFetchGroup(&group, live ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, source);
  say(" %d", sts);
  if (sts >= 0) {
    for (int i = 0; i < count; ++i) extend(group, &items[i], live);
    if (!live) {
      say(" %d", pmExtendFetchGroup_timestamp(group, &coarse));
      if (pick(2)) say(" %d", pmExtendFetchGroup_timespec(group, &fine));
      place(pmGetFetchGroupContext(group));
    }
    for (unsigned round = pick(4); round-- > 0;) {
      sts = pmFetchGroup(group);
      say(" fetch %d", sts < 0 ? sts : 0);
      /* Otherwise it is the time of now. */
      if (sts >= 0) say(" %lld.%06ld", (long long)coarse.tv_sec, (long)coarse.tv_usec);
      for (int i = 0; i < count; ++i) say_item(&items[i], live);
    }
    say(" %d", pmDestroyFetchGroup(group));
  }
  pmUseContext(current);
  free(items);
}
static void call_group(void) {
  run_group(0, pick(15) ? known.archives[pick((unsigned)known.archive_count)] : "no/such");
}
static void call_live_group(void) {
  if (known.host) run_group(1, known.host);
}

const struct call group_calls[] = {
    {"pmFetchGroup", 3, call_group}, {"pmFetchGroup live", 1, call_live_group}, {NULL, 0, NULL}};
