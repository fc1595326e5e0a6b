/* Calls about values: profiles, modes, fetches, what is done with results. */
#include "twin.h"

static void call_profile(void) {
  int ids[3];
  const int count = (int)pick(4);
  const pmInDom indom = pick(10) ? pick_indom() : PM_INDOM_NULL;
  for (int i = 0; i < 3; ++i) ids[i] = (int)pick(8) - 1;
  say(" %x %d", indom, count);
  if (pick(2)) {
    say(" +%d", pmAddProfile(indom, count, count ? ids : NULL));
  } else {
    say(" -%d", pmDelProfile(indom, count, count ? ids : NULL));
  }
}
static void call_whole_profile(void) { say(" %d", pmAddProfile(PM_INDOM_NULL, 0, NULL)); }

static void call_mode(void) {
  static const int modes[] = {PM_MODE_INTERP, PM_MODE_FORW, PM_MODE_BACK, PM_MODE_LIVE, 9};
  static const int steps[] = {1000, 60000, 500, -1000, 600000, 0};
  struct timeval when;
  pmLogLabel label;
  const int mode = pick(10) ? modes[pick(3)] : PICK_OF(modes), step = PICK_OF(steps);
  if (pmGetArchiveLabel(&label) < 0) return;
  when.tv_sec = label.ll_start.tv_sec + (time_t)pick(9000) - 100;
  when.tv_usec = (suseconds_t)pick(1000000);
  say(" %d %lld.%06ld %d: %d", mode, (long long)when.tv_sec, (long)when.tv_usec, step,
      pmSetMode(mode, pick(6) ? &when : NULL, step));
}

/* Over archives PCP 6.0.3 sometimes returns 1, for no reason that its page has. */
static void say_status(int sts) { say(": %d", sts < 0 ? sts : 0); }

static void keep_result(pmResult* result) {
  if (known.result) pmFreeResult(known.result);
  known.result = result;
}
/* Each once: of two PCP 6.0.3 sometimes does not come back. */
static void pick_pmids(pmID* pmids, int count) {
  for (int i = 0; i < count; ++i) {
    int again = 0;
    pmids[i] = pick_pmid();
    for (int k = 0; k < i; ++k) again |= pmids[k] == pmids[i];
    if (again) --i;
  }
}
static void call_fetch(void) {
  pmID pmids[6];
  pmResult* result = NULL;
  const int count = (int)pick(6) + 1;
  int sts;
  pick_pmids(pmids, 6);
  sts = pmFetch(count, pmids, &result);
  for (int i = 0; i < count; ++i) say(" %x", pmids[i]);
  say_status(sts);
  if (sts < 0) return;
  say_result((const pmHighResResult*)result, 0);
  keep_result(result);
}
static void call_fetch_fine(void) {
  pmID pmids[3];
  pmHighResResult* result = NULL;
  const int count = (int)pick(3) + 1;
  int sts;
  pick_pmids(pmids, 3);
  sts = pmFetchHighRes(count, pmids, &result);
  say(" %x %d", pmids[0], count);
  say_status(sts);
  if (sts < 0) return;
  say_result(result, 1);
  pmFreeHighResResult(result);
}
static void call_fetch_record(void) {
  pmResult* result = NULL;
  const int sts = pmFetchArchive(&result);
  say(" %d", sts);
  if (sts < 0) return;
  say_result((const pmHighResResult*)result, 0);
  keep_result(result);
}
static void call_ends(void) {
  pmLogLabel label;
  pmHighResLogLabel fine;
  struct timeval end;
  struct timespec fine_end;
  int sts = pmGetArchiveLabel(&label);
  say(" %d", sts);
  if (sts >= 0) {
    say(" %x %d", label.ll_magic, label.ll_pid), say_text(label.ll_hostname), say_text(label.ll_tz);
  }
  if ((sts = pmGetHighResArchiveLabel(&fine)) >= 0) say_text(fine.zoneinfo);
  if ((sts = pmGetArchiveEnd(&end)) >= 0)
    say(" %lld.%06ld", (long long)end.tv_sec, (long)end.tv_usec);
  say(" %d", sts);
  if (pmGetHighResArchiveEnd(&fine_end) >= 0) say(" %ld", fine_end.tv_nsec);
}

static const pmValueSet* pick_set(void) {
  const pmValueSet* set;
  if (!known.result || known.result->numpmid < 1) return NULL;
  set = known.result->vset[pick((unsigned)known.result->numpmid)];
  return set->numval > 0 ? set : NULL;
}
static void call_extract(void) {
  static const int to[] = {PM_TYPE_32,    PM_TYPE_U32,    PM_TYPE_64,    PM_TYPE_U64,
                           PM_TYPE_FLOAT, PM_TYPE_DOUBLE, PM_TYPE_STRING};
  const pmValueSet* set = pick_set();
  pmAtomValue atom;
  pmDesc desc;
  int sts;
  const int wanted = PICK_OF(to);
  char buffer[400];
  if (!set || pmLookupDesc(set->pmid, &desc) < 0) return;
  sts = pmExtractValue(set->valfmt, &set->vlist[pick((unsigned)set->numval)], desc.type, &atom,
                       wanted);
  say(" %d>%d: %d", desc.type, wanted, sts);
  if (sts < 0) return;
  say_text(pmAtomStr_r(&atom, wanted, buffer, sizeof buffer));
  if (wanted == PM_TYPE_STRING) free(atom.cp);
}
static void call_print(void) {
  const pmValueSet* set = pick_set();
  pmDesc desc;
  FILE* file;
  if (!set || pmLookupDesc(set->pmid, &desc) < 0) return;
  file = begin_file();
  pmPrintValue(file, set->valfmt, desc.type, &set->vlist[pick((unsigned)set->numval)],
               (int)pick(20));
  say_file(file);
}
static void call_sort(void) {
  if (!known.result) return;
  pmSortInstances(known.result);
  say_result((const pmHighResResult*)known.result, 0);
}

const struct call value_calls[] = {{"pmAddProfile", 2, call_profile},
                                   {"pmAddProfile all", 1, call_whole_profile},
                                   {"pmSetMode", 4, call_mode},
                                   {"pmFetch", 14, call_fetch},
                                   {"pmFetchHighRes", 5, call_fetch_fine},
                                   {"pmFetchArchive", 4, call_fetch_record},
                                   {"pmGetArchiveLabel", 2, call_ends},
                                   {"pmExtractValue of a result", 5, call_extract},
                                   {"pmPrintValue", 4, call_print},
                                   {"pmSortInstances", 1, call_sort},
                                   {NULL, 0, NULL}};
