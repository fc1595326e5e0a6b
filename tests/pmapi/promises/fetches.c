/* Results of fetches, stores, fetch groups. */
#include "parts.h"

#define ALL_TYPES "types-v3" /* syn.inst.TYPE: 10 at the start, then 21, 43, 17, 17, 100 */
#define FOUR_INSTANCES "insts4"

void promises_results(void) {
  static const struct {
    const char* name;
    int type, in_place;
  } kinds[] = {{"syn.inst.i32", PM_TYPE_32, 1},    {"syn.inst.u32", PM_TYPE_U32, 1},
               {"syn.inst.i64", PM_TYPE_64, 0},    {"syn.inst.u64", PM_TYPE_U64, 0},
               {"syn.inst.flt", PM_TYPE_FLOAT, 0}, {"syn.inst.dbl", PM_TYPE_DOUBLE, 0},
               {"syn.inst.str", PM_TYPE_STRING, 0}};
  enum { kKinds = sizeof kinds / sizeof kinds[0] };
  pmID ids[kKinds];
  pmResult* result = NULL;
  pmAtomValue atom;
  open_archive(ALL_TYPES);
  for (int i = 0; i < kKinds; ++i) ids[i] = id_of(kinds[i].name);
  PROMISE("pmapi.fetch.pmFetch", pmFetch(kKinds, ids, &result) == 0);
  PROMISE("pmapi.fetch.pmFetch", result->numpmid == kKinds);
  PROMISE("pmapi.fetch.pmFetch", result->timestamp.tv_sec == 1700000000);
  for (int i = 0; i < kKinds; ++i) {
    const pmValueSet* const set = result->vset[i];
    PROMISE("pmapi.fetch.pmFetch", set->pmid == ids[i] && set->numval == 1);
    PROMISE("pmapi.fetch.insitu", (set->valfmt == PM_VAL_INSITU) == kinds[i].in_place);
    if (!kinds[i].in_place) {
      PROMISE("pmapi.fetch.insitu", set->valfmt == PM_VAL_DPTR || set->valfmt == PM_VAL_SPTR);
      PROMISE("pmapi.fetch.insitu", (int)set->vlist[0].value.pval->vtype == kinds[i].type);
    }
  }
  PROMISE("pmapi.fetch.pcp1_client", kinds[4].type == PM_TYPE_FLOAT &&
                                         result->vset[4]->valfmt != PM_VAL_INSITU &&
                                         result->vset[4]->vlist[0].value.pval->vlen == 8);
  PROMISE("pmapi.fetch.insitu", result->vset[0]->vlist[0].value.lval == 10);
  pmExtractValue(result->vset[5]->valfmt, result->vset[5]->vlist, PM_TYPE_DOUBLE, &atom,
                 PM_TYPE_DOUBLE);
  PROMISE("pmapi.fetch.insitu", atom.d == 15.0);
  pmFreeResult(result);

  pmID mixed[] = {ids[0], pmID_build(245, 99, 1), ids[1], ids[0]};
  PROMISE("pmapi.fetch.order", pmFetch(4, mixed, &result) == 0 && result->numpmid == 4);
  for (int i = 0; i < 4; ++i) PROMISE("pmapi.fetch.order", result->vset[i]->pmid == mixed[i]);
  PROMISE("pmapi.err.partial", result->vset[1]->numval <= 0 && result->vset[2]->numval == 1);
  pmFreeResult(result);
  open_host();
  pmID live[] = {pmID_build(253, 0, 0), pmID_build(253, 9, 9), pmID_build(399, 1, 1),
                 pmID_build(253, 0, 1), pmID_build(253, 0, 0)};
  PROMISE("pmapi.fetch.order", pmFetch(5, live, &result) >= 0 && result->numpmid == 5);
  for (int i = 0; i < 5; ++i) PROMISE("pmapi.fetch.order", result->vset[i]->pmid == live[i]);
  PROMISE("pmapi.fetch.order", result->vset[0]->numval == 1 && result->vset[3]->numval == 3 &&
                                   result->vset[4]->numval == 1);
  PROMISE("pmapi.err.partial",
          result->vset[1]->numval == PM_ERR_PMID && result->vset[2]->numval == PM_ERR_NOAGENT);
  pmFreeResult(result);
}

static pmID g_pmid;
static void fetch_and_free(void) {
  pmResult* result = NULL;
  if (pmFetch(1, &g_pmid, &result) >= 0) pmFreeResult(result);
}
static void build_and_free(void) {
  pmResult* const result = calloc(1, sizeof *result);
  pmValueSet* const set = calloc(1, sizeof *set);
  pmValueBlock* const block = calloc(1, 500);
  result->numpmid = 1;
  result->vset[0] = set;
  set->numval = 1;
  set->valfmt = PM_VAL_DPTR;
  set->vlist[0].value.pval = block;
  block->vlen = 500;
  block->vtype = PM_TYPE_AGGREGATE;
  pmFreeResult(result);
}
static void fail_in_many_ways(void) {
  char **list, *text = NULL;
  int* ids;
  pmResult* result;
  pmGetChildren("no.such", &list);
  pmNameID(pmID_build(245, 99, 1), &text);
  pmNameAll(pmID_build(245, 99, 1), &list);
  pmGetInDom(pmInDom_build(245, 99), &ids, &list);
  pmNameInDom(pmInDom_build(245, 99), 1, &text);
  pmLookupText(pmID_build(245, 99, 1), PM_TEXT_HELP, &text);
  if (pmFetch(0, &g_pmid, &result) >= 0) pmFreeResult(result);
}

void promises_ends_of_results(void) {
  const struct timeval start = {1700000000, 0};
  open_archive(FOUR_INSTANCES);
  pmSetMode(PM_MODE_INTERP, &start, 0);
  g_pmid = id_of("in.ctr");
  PROMISE("pmapi.fetch.pmFreeResult", !grows(fetch_and_free));
  PROMISE("pmapi.fetch.pmFreeResult", !grows(build_and_free));
  PROMISE("pmapi.err.no_alloc", !grows(fail_in_many_ways));
}

/* A store of one number. */
static int store(pmID pmid, int number, int count) {
  pmValueSet set = {.pmid = pmid, .numval = count, .valfmt = PM_VAL_INSITU};
  pmResult result = {.numpmid = 1, .vset = {&set}};
  set.vlist[0].inst = (int)PM_IN_NULL;
  set.vlist[0].value.lval = number;
  return pmStore(&result);
}
static int store_fine(pmID pmid, int number) {
  pmValueSet set = {.pmid = pmid, .numval = 1, .valfmt = PM_VAL_INSITU};
  pmHighResResult result = {.numpmid = 1, .vset = {&set}};
  set.vlist[0].inst = (int)PM_IN_NULL;
  set.vlist[0].value.lval = number;
  return pmStoreHighRes(&result);
}
static int number_of(pmID pmid) {
  pmResult* result = NULL;
  if (pmFetch(1, &pmid, &result) < 0) return -1;
  const int number = result->vset[0]->numval == 1 ? result->vset[0]->vlist[0].value.lval : -1;
  pmFreeResult(result);
  return number;
}

void promises_stores(void) {
  open_host();
  const pmID fetches = id_of("simple.numfetch"), seconds = id_of("simple.time.user");
  PROMISE("pmapi.fetch.pmStore", store(fetches, 700, 1) == 0);
  PROMISE("pmapi.fetch.pmStore", number_of(fetches) == 701); /* this fetch is the next one */
  PROMISE("pmapi.fetch.pmStore", store_fine(fetches, 700) == 0 && number_of(fetches) == 701);
  PROMISE("pmapi.fetch.pmStore.numval", store(fetches, 5, 0) == PM_ERR_VALUE);
  PROMISE("pmapi.fetch.pmStore.numval", store(fetches, 5, -1) == PM_ERR_VALUE);
  PROMISE("pmapi.fetch.pmStore.numval", number_of(fetches) == 702);
  PROMISE("pmapi.fetch.pmStore.permission", store(seconds, 5, 1) == PM_ERR_PERMISSION);
}

void promises_groups(void) {
  static pmAtomValue load, rate, text, values[5];
  static int load_status, rate_status, text_status, codes[5], statuses[5], status;
  static char* names[5];
  static unsigned count;
  struct timeval when = {0, 0}, start = {1700000000, 0};
  char path[1000];
  pmFG group = NULL;
  const int before = open_archive(ALL_TYPES);
  snprintf(path, sizeof path, "%s/%s", g_places.archives, FOUR_INSTANCES);
  PROMISE("pmapi.fetchgroup.pmCreateFetchGroup",
          pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, path) == 0 && group != NULL);
  const int own = pmGetFetchGroupContext(group);
  PROMISE("pmapi.fetchgroup.pmCreateFetchGroup", own >= 0 && own != before);
  pmUseContext(own);
  pmSetMode(PM_MODE_INTERP, &start, 10000);
  PROMISE("pmapi.fetchgroup.items", pmExtendFetchGroup_item(group, "in.disc", "i1", NULL, &load,
                                                            PM_TYPE_DOUBLE, &load_status) == 0);
  PROMISE("pmapi.fetchgroup.items", pmExtendFetchGroup_item(group, "in.ctr", "i0", NULL, &rate,
                                                            PM_TYPE_DOUBLE, &rate_status) == 0);
  PROMISE("pmapi.fetchgroup.items", pmExtendFetchGroup_item(group, "in.ctr", "i0", "instant", &text,
                                                            PM_TYPE_STRING, &text_status) == 0);
  PROMISE("pmapi.fetchgroup.items", pmExtendFetchGroup_item(group, "in.ctr", "i0", "Kbyte", &text,
                                                            PM_TYPE_DOUBLE, NULL) == PM_ERR_CONV);
  PROMISE("pmapi.fetchgroup.items",
          pmExtendFetchGroup_indom(group, "in.disc", NULL, codes, names, values, PM_TYPE_U64,
                                   statuses, 5, &count, &status) == 0);
  PROMISE("pmapi.fetchgroup.items",
          pmExtendFetchGroup_event(group, "in.disc", "i0", "in.disc", NULL, NULL, NULL, PM_TYPE_U64,
                                   NULL, 5, NULL, NULL) < 0); /* they are no events */
  PROMISE("pmapi.fetchgroup.items", pmExtendFetchGroup_timestamp(group, &when) == 0);
  PROMISE("pmapi.fetchgroup.pmFetchGroup", pmFetchGroup(group) == 0);
  PROMISE("pmapi.fetchgroup.pmFetchGroup", when.tv_sec == 1700000000 && load.d == 200);
  PROMISE("pmapi.fetchgroup.pmFetchGroup", rate_status == PM_ERR_AGAIN);
  PROMISE("pmapi.fetchgroup.items", text_status == 0 && strcmp(text.cp, "100") == 0);
  PROMISE("pmapi.fetchgroup.items", status == 0 && count == 4 && codes[2] == 300 &&
                                        strcmp(names[2], "i2 one") == 0 && values[2].ull == 300);
  PROMISE("pmapi.fetchgroup.pmFetchGroup", pmFetchGroup(group) == 0);
  PROMISE("pmapi.fetchgroup.pmFetchGroup", rate_status == 0 && rate.d == 1); /* 10 in 10 s */
  PROMISE("pmapi.fetchgroup.pmDestroyFetchGroup", pmDestroyFetchGroup(group) == 0);
  PROMISE("pmapi.fetchgroup.pmDestroyFetchGroup", pmUseContext(own) == PM_ERR_NOCONTEXT);
  PROMISE("pmapi.fetchgroup.pmDestroyFetchGroup", pmUseContext(before) == 0);
}

/* How many of some rates of a counter are there that goes over its top every third time. */
static int rates_of_wrapping(void) {
  static pmAtomValue rate;
  static int status;
  pmFG group = NULL;
  int good = 0;
  if (pmCreateFetchGroup(&group, PM_CONTEXT_HOST, g_places.host) < 0) return -1;
  pmExtendFetchGroup_item(group, "promised.count", NULL, NULL, &rate, PM_TYPE_DOUBLE, &status);
  pmFetchGroup(group);
  for (int i = 0; i < 6; ++i) good += pmFetchGroup(group) >= 0 && status == 0 && rate.d > 0;
  pmDestroyFetchGroup(group);
  return good;
}

/* The agents that others begin with, through pmcd. */
void promises_example_agents(void) {
  pmDesc desc;
  pmResult* result = NULL;
  pmAtomValue atom;
  open_host();
  pmID pmid = id_of("trivial.time");
  PROMISE("agent.trivial", pmid == pmID_build(250, 0, 0) && pmLookupDesc(pmid, &desc) == 0);
  PROMISE("agent.trivial", desc.indom == PM_INDOM_NULL && desc.units.dimTime == 1 &&
                               desc.units.scaleTime == PM_TIME_SEC);
  PROMISE("agent.trivial", pmFetch(1, &pmid, &result) >= 0 && result->vset[0]->numval == 1);
  pmExtractValue(result->vset[0]->valfmt, result->vset[0]->vlist, desc.type, &atom, PM_TYPE_DOUBLE);
  PROMISE("agent.trivial", atom.d <= (double)time(NULL) && atom.d >= (double)time(NULL) - 3);
  pmFreeResult(result);
}

/* Values that there are not, of several kinds, from an agent that gives just these. */
void promises_missing_values(void) {
  open_host();
  pmID ids[] = {id_of("promised.none"), id_of("promised.again"), id_of("promised.gone"),
                id_of("promised.some"), id_of("promised.bytes"), id_of("promised.picky")};
  const int all[] = {PM_ERR_AGAIN, PM_ERR_APPVERSION};
  int one[] = {0};
  pmResult* result = NULL;
  pmDesc desc;
  PROMISE("pmapi.fetch.numval_zero", pmFetch(6, ids, &result) >= 0 && result->numpmid == 6);
  PROMISE("pmapi.fetch.numval_zero",
          result->vset[0]->pmid == ids[0] && result->vset[0]->numval == 0);
  PROMISE("pmapi.fetch.numval_error", result->vset[1]->numval == all[0]);
  PROMISE("pmapi.fetch.numval_error", result->vset[2]->numval == all[1]);
  PROMISE("pmda.nosupport.fetch", result->vset[2]->numval == PM_ERR_APPVERSION);
  PROMISE("pmda.nosupport.desc",
          pmLookupDesc(ids[2], &desc) == 0 && desc.type == PM_TYPE_NOSUPPORT);
  PROMISE("pmda.nosupport.store", store(ids[2], 1, 1) == PM_ERR_PERMISSION);
  const pmValueSet* const some = result->vset[3];
  PROMISE("pmapi.fetch.missing_instance",
          some->numval == 2 && some->vlist[0].inst == 0 && some->vlist[1].inst == 2);
  PROMISE("pmapi.fetch.missing_instance",
          some->vlist[0].value.lval == 100 && some->vlist[1].value.lval == 102);
  const pmValueSet* const bytes = result->vset[4];
  PROMISE("agent.aggregate_bytes", bytes->numval == 1 && bytes->valfmt != PM_VAL_INSITU);
  PROMISE("agent.aggregate_bytes",
          bytes->vlist[0].value.pval->vlen == PM_VAL_HDR_SIZE + 5 &&
              memcmp(bytes->vlist[0].value.pval->vbuf, "\1\2\3\4\5", 5) == 0);
  PROMISE("pmapi.fetch.profile_required", result->vset[5]->numval == PM_ERR_PROFILE);
  pmFreeResult(result);
  pmLookupDesc(ids[5], &desc);
  pmDelProfile(desc.indom, 0, NULL);
  pmAddProfile(desc.indom, 1, one);
  PROMISE("pmapi.fetch.profile_required", pmFetch(1, &ids[5], &result) >= 0);
  PROMISE("pmapi.fetch.profile_required", result->vset[0]->numval == 1);
  pmFreeResult(result);

  PROMISE("pmapi.fetch.PCP_COUNTER_WRAP.live", rates_of_wrapping() < 6);
}

/* Of a process that has the variable from its start. */
void promises_wrapped_rates(void) {
  setenv("PCP_COUNTER_WRAP", "", 1);
  PROMISE("pmapi.fetch.PCP_COUNTER_WRAP.live", rates_of_wrapping() == 6);
}

/* The agent's metric has another type and unit from each store on. */
void promises_changing_descriptors(void) {
  pmDesc desc;
  open_host();
  const pmID pmid = id_of("promised.changing");
  PROMISE("pmapi.desc.dynamic", pmLookupDesc(pmid, &desc) == 0 && desc.type == PM_TYPE_U32);
  PROMISE("pmapi.desc.dynamic", desc.units.scaleSpace == PM_SPACE_MBYTE);
  PROMISE("pmapi.desc.dynamic", store(id_of("promised.count"), 1, 1) == 0);
  PROMISE("pmapi.desc.dynamic", pmLookupDesc(pmid, &desc) == 0 && desc.type == PM_TYPE_U64);
  PROMISE("pmapi.desc.dynamic", desc.units.scaleSpace == PM_SPACE_GBYTE);
  PROMISE("pmapi.desc.dynamic", store(id_of("promised.count"), 0, 1) == 0);
  PROMISE("pmapi.desc.dynamic", pmLookupDesc(pmid, &desc) == 0 && desc.type == PM_TYPE_U32);
}
