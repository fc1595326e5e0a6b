/* Calls of a live host: what it names, values that stand still, stores. */
#include "twin.h"

/* Beneath these, values change by stores alone. */
static const char* const steady[] = {"sample.bin",        "sample.bogus_bin", "sample.long",
                                     "sample.longlong",   "sample.ulong",     "sample.ulonglong",
                                     "sample.float",      "sample.double",    "sample.string",
                                     "sample.aggregate",  "sample.hordes",    "sample.write_me",
                                     "sample.control",    "sample.noinst",    "sample.needprofile",
                                     "sample.error_code", "sample.colour"};

static const char* const stored[] = {"sample.write_me",           "sample.long.write_me",
                                     "sample.float.write_me",     "sample.double.write_me",
                                     "sample.ulong.write_me",     "sample.longlong.write_me",
                                     "sample.ulonglong.write_me", "sample.string.write_me"};

static void keep_steady(const char* name, void* unused) {
  (void)unused;
  if (known.steady_count < 512) known.steady[known.steady_count++] = strdup(name);
}
/* Some count their fetches. */
static int stands_still(const char* name) {
  pmID pmid;
  pmResult* results[2] = {};
  int same = pmLookupName(1, &name, &pmid) >= 0;
  if (same && (pmID_item(pmid) == 111 || pmID_item(pmid) == 112)) return 0; /* or now and then */
  for (int i = 0; i < 2 && same; ++i) same = pmFetch(1, &pmid, &results[i]) >= 0;
  if (same && results[0]->vset[0]->numval == results[1]->vset[0]->numval) {
    const pmValueSet *one = results[0]->vset[0], *other = results[1]->vset[0];
    for (int i = 0; i < one->numval && same; ++i) {
      const pmValue *a = &one->vlist[i], *b = &other->vlist[i];
      same = one->valfmt == PM_VAL_INSITU
                 ? a->value.lval == b->value.lval
                 : memcmp(a->value.pval, b->value.pval, a->value.pval->vlen) == 0;
    }
  }
  for (int i = 0; i < 2; ++i) {
    if (results[i]) pmFreeResult(results[i]);
  }
  return same;
}
static int by_text(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

/* As a process finds them: the one before has stored. */
static void store_first(const char* name) {
  pmValueSet set = {.numval = 1, .valfmt = PM_VAL_DPTR};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  struct {
    pmValueBlock head;
    char more[8];
  } block = {};
  pmDesc desc;
  if (pmLookupName(1, &name, &set.pmid) < 0 || pmLookupDesc(set.pmid, &desc) < 0) return;
  set.vlist[0].inst = PM_IN_NULL;
  if (desc.type == PM_TYPE_32 || desc.type == PM_TYPE_U32) {
    set.valfmt = PM_VAL_INSITU;
    set.vlist[0].value.lval = 1;
  } else {
    set.vlist[0].value.pval = &block.head;
    block.head.vtype = (unsigned)desc.type & 0xff;
    block.head.vlen = PM_VAL_HDR_SIZE + (desc.type == PM_TYPE_FLOAT ? 4 : 8);
  }
  pmStore(&result);
}

/* The other metrics with these instances have the same values. */
static void store_first_bins(void) {
  const char* name = "sample.bin";
  pmID pmid;
  pmResult* result;
  if (pmLookupName(1, &name, &pmid) < 0 || pmFetch(1, &pmid, &result) < 0) return;
  for (int i = 0; i < result->vset[0]->numval; ++i) {
    result->vset[0]->vlist[i].value.lval = result->vset[0]->vlist[i].inst;
  }
  pmStore(result);
  pmFreeResult(result);
}

void know_host(const char* host) {
  const int before = pmWhichContext(), handle = pmNewContext(PM_CONTEXT_HOST, host);
  if (handle < 0) exit(3);
  known.host = host;
  known.live_context = handle;
  for (size_t i = 0; i < sizeof steady / sizeof steady[0]; ++i) {
    if (strcmp(steady[i], "sample.colour") == 0) continue; /* it counts fetches */
    pmTraversePMNS_r(steady[i], keep_steady, NULL);
  }
  for (size_t i = 0; i < sizeof stored / sizeof stored[0]; ++i) store_first(stored[i]);
  store_first_bins();
  for (int i = 0; i < known.steady_count;) {
    if (stands_still(known.steady[i])) {
      ++i;
    } else {
      known.steady[i] = known.steady[--known.steady_count];
    }
  }
  qsort(known.steady, (size_t)known.steady_count, sizeof known.steady[0], by_text);
  pmUseContext(before);
}

const char* pick_steady(void) { return known.steady[pick((unsigned)known.steady_count)]; }

/* The other context is current again afterwards. */
static int begin_live(void) {
  const int before = pmWhichContext();
  return known.host && pmUseContext(known.live_context) >= 0 ? before : -100;
}

static void end_live(int before) {
  if (pmUseContext(before) < 0) pmDestroyContext(pmDupContext()); /* there was none */
}

static pmID steady_pmid(void) {
  const char* name = pick_steady();
  pmID pmid = PM_ID_NULL;
  if (pick(20) == 0) return pick(3) ? pmID_build(200, pick(9), pick(9)) : PM_ID_NULL;
  pmLookupName(1, &name, &pmid);
  return pmid;
}

static void call_live_fetch(void) {
  pmID pmids[5];
  pmResult* result = NULL;
  const int before = begin_live(), count = 1 + (int)pick(5);
  int sts;
  if (before == -100) return;
  for (int i = 0; i < 5; ++i) pmids[i] = steady_pmid();
  sts = pmFetch(count, pmids, &result);
  for (int i = 0; i < count; ++i) say(" %x", pmids[i]);
  say(": %d", sts);
  if (sts >= 0) {
    result->timestamp.tv_sec = result->timestamp.tv_usec = 0;
    say_result((const pmHighResResult*)result, 0);
    pmFreeResult(result);
  }
  end_live(before);
}

static void call_live_names(void) {
  static const char* const parents[] = {"sample",     "sample.string",   "sample.secret",
                                        "pmcd",       "sample.dupnames", "sample.long",
                                        "pmcd.agent", "no.such",         "sample.dynamic"};
  char **list = NULL, *text = NULL;
  int *kinds = NULL, sts;
  const int before = begin_live();
  const pmID pmid = before == -100 ? 0 : steady_pmid();
  if (before == -100) return;
  switch (pick(4)) {
    case 0: {
      const char* parent = PICK_OF(parents);
      sts = pmGetChildrenStatus(parent, &list, &kinds);
      say(" %s: %d", parent, sts);
      for (int i = 0; i < sts; ++i) say_text(list[i]), say(" %d", kinds[i]);
      if (sts > 0) free(list), free(kinds);
      break;
    }
    case 1:
      sts = pmNameAll(pmid, &list);
      say(" all %x: %d", pmid, sts);
      for (int i = 0; i < sts; ++i) say_text(list[i]);
      if (sts > 0) free(list);
      break;
    case 2:
      sts = pmNameID(pmid, &text);
      say(" %x: %d", pmid, sts);
      if (sts >= 0) say_text(text), free(text);
      break;
    default:
      sts = pmLookupText(pmid, pick(2) ? PM_TEXT_ONELINE : PM_TEXT_HELP, &text);
      say(" text %x: %d", pmid, sts);
      if (sts >= 0) say_text(text), free(text);
      break;
  }
  end_live(before);
}

static void call_live_metadata(void) {
  pmDesc desc;
  pmLabelSet* sets = NULL;
  char *name = NULL, **names = NULL;
  int *ids = NULL, sts;
  const int before = begin_live();
  pmID pmid;
  if (before == -100) return;
  pmid = steady_pmid();
  sts = pmLookupDesc(pmid, &desc);
  say(" %x: %d", pmid, sts);
  if (sts >= 0) {
    say(" %d %x %d", desc.type, desc.indom, desc.sem);
    switch (pick(5)) {
      case 0:
        sts = pmGetInDom(desc.indom, &ids, &names);
        say(" all %d", sts);
        for (int i = 0; i < sts && i < 50; ++i) say(" %d", ids[i]), say_text(names[i]);
        if (sts > 0) free(ids), free(names);
        break;
      case 1: say(" %d", pmLookupInDom(desc.indom, pick(3) ? "bin-300" : "no such")); break;
      case 2:
        sts = pmNameInDom(desc.indom, (int)pick(10) * 100, &name);
        say(" name %d", sts);
        if (sts >= 0) say_text(name), free(name);
        break;
      case 3: say(" %d", pmGetInDomArchive(desc.indom, &ids, &names)); break;
      default:
        sts = pick(2) ? pmGetItemLabels(pmid, &sets) : pmGetInDomLabels(desc.indom, &sets);
        say(" labels %d", sts);
        for (int i = 0; i < sts; ++i) {
          say(" %d", sets[i].nlabels);
          if (sets[i].json) say(" %.*s", (int)sets[i].jsonlen, sets[i].json);
        }
        if (sts > 0) pmFreeLabelSets(sets, sts);
        break;
    }
  }
  end_live(before);
}

static void call_live_profile(void) {
  int ids[3];
  const int before = begin_live(), count = (int)pick(4);
  const pmInDom indom = pick(4) ? pmInDom_build(29, pick(10)) : PM_INDOM_NULL;
  if (before == -100) return;
  for (int i = 0; i < 3; ++i) ids[i] = (int)pick(10) * 100;
  say(" %x %d %d", indom, count,
      pick(2) ? pmAddProfile(indom, count, count ? ids : NULL)
              : pmDelProfile(indom, count, count ? ids : NULL));
  end_live(before);
}

/* Into metrics whose values are the agent's only by what was stored; and where none may be. */
static void call_store(void) {
  const char* name = pick(10) ? PICK_OF(stored) : pick(2) ? "sample.bin" : "sample.long.one";
  struct {
    pmValueBlock head;
    char more[24];
  } block = {};
  pmValueSet set = {.numval = pick(15) ? 1 : (int)pick(2) - 1};
  pmResult result = {.numpmid = pick(20) ? 1 : 0, .vset = {&set}};
  pmDesc desc;
  int sts;
  const int before = begin_live();
  if (before == -100) return;
  if (pmLookupName(1, &name, &set.pmid) >= 0 && pmLookupDesc(set.pmid, &desc) >= 0) {
    const int64_t number = pick_number();
    if (pick(15) == 0) set.pmid = pmID_build(200, 0, pick(9));
    set.vlist[0].inst = desc.indom == PM_INDOM_NULL ? (int)PM_IN_NULL : (int)pick(10) * 100;
    set.valfmt = PM_VAL_DPTR;
    set.vlist[0].value.pval = &block.head;
    block.head.vtype = (unsigned)desc.type & 0xff;
    block.head.vlen = PM_VAL_HDR_SIZE + 8;
    switch (desc.type) {
      case PM_TYPE_32:
      case PM_TYPE_U32:
        set.valfmt = PM_VAL_INSITU;
        set.vlist[0].value.lval = (int)number;
        break;
      case PM_TYPE_FLOAT: {
        const float value = (float)pick_real();
        block.head.vlen = PM_VAL_HDR_SIZE + 4;
        memcpy(block.head.vbuf, &value, sizeof value);
        break;
      }
      case PM_TYPE_STRING:
        block.head.vlen = PM_VAL_HDR_SIZE + 4;
        memcpy(block.head.vbuf, "new", 4);
        break;
      default: memcpy(block.head.vbuf, &number, sizeof number); break;
    }
    sts = pmStore(&result);
    say(" %s %d %d: %d", name, set.numval, result.numpmid, sts);
  }
  end_live(before);
}

static void call_live_context(void) {
  char buffer[256];
  const int before = pmWhichContext();
  int handle;
  struct timeval end;
  if (!known.host) return;
  handle = pick(10) ? pmNewContext(PM_CONTEXT_HOST, known.host)
                    : pmNewContext(PM_CONTEXT_HOST, "127.0.0.1:1");
  say(" %d", handle < 0 ? handle : 0);
  if (handle >= 0) {
    say_text(pmGetContextHostName_r(handle, buffer, sizeof buffer));
    say(" %d %d", pmGetPMNSLocation(), pmGetArchiveEnd(&end));
    say(" %d", pmSetMode((int)pick(4), NULL, 1000));
    if (pick(2)) say(" dup %d", pmDestroyContext(pmDupContext()));
    if (pick(3) == 0) say(" re %d", pmReconnectContext(handle) == handle);
    say(" %d", pmDestroyContext(handle));
  }
  pmUseContext(before);
}

const struct call live_calls[] = {{"pmFetch live", 8, call_live_fetch},
                                  {"names live", 3, call_live_names},
                                  {"metadata live", 4, call_live_metadata},
                                  {"pmAddProfile live", 2, call_live_profile},
                                  {"pmStore", 2, call_store},
                                  {"pmNewContext live", 1, call_live_context},
                                  {NULL, 0, NULL}};
