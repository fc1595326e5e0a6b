/* An agent with every kind of value that there is not, a descriptor that changes and a counter that
 * goes over its top: what promises about hosts need. */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <string.h>

enum item { COUNT, CHANGING, GONE, SOME, BYTES, PICKY, NONE, AGAIN };
#define STEP 0x60000000u /* of the counter, each time it is asked for */

static pmdaInstid instances[] = {{0, "zero"}, {1, "one"}, {2, "two"}};
static pmdaIndom indoms[] = {{0, 3, instances}};
#define METRIC(item, type, indom, sem)                                             \
  {                                                                                \
    NULL, { PMDA_PMID(0, item), type, indom, sem, PMDA_PMUNITS(0, 0, 0, 0, 0, 0) } \
  }
static pmdaMetric metrics[] = {
    METRIC(COUNT, PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_COUNTER),
    METRIC(CHANGING, PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT),
    METRIC(GONE, PM_TYPE_NOSUPPORT, PM_INDOM_NULL, PM_SEM_INSTANT),
    METRIC(SOME, PM_TYPE_U32, 0, PM_SEM_INSTANT),
    METRIC(BYTES, PM_TYPE_AGGREGATE, PM_INDOM_NULL, PM_SEM_INSTANT),
    METRIC(PICKY, PM_TYPE_U32, 0, PM_SEM_INSTANT),
    METRIC(NONE, PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT),
    METRIC(AGAIN, PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT),
};
static unsigned count;
static int has_changed;
static struct {
  unsigned head;
  char bytes[8];
} block = {.bytes = {1, 2, 3, 4, 5}};

static int value_of(pmdaMetric* metric, unsigned inst, pmAtomValue* atom) {
  switch (pmID_item(metric->m_desc.pmid)) {
    case COUNT: atom->ul = count += STEP; return PMDA_FETCH_STATIC;
    case CHANGING: atom->ul = 7; return PMDA_FETCH_STATIC;
    case SOME:
      if (inst == 1) return PMDA_FETCH_NOVALUES;
      atom->ul = 100 + inst;
      return PMDA_FETCH_STATIC;
    case BYTES:
      atom->vbp = (pmValueBlock*)&block;
      atom->vbp->vtype = PM_TYPE_AGGREGATE;
      atom->vbp->vlen = PM_VAL_HDR_SIZE + 5;
      return PMDA_FETCH_STATIC;
    case PICKY: atom->ul = inst; return PMDA_FETCH_STATIC;
    case NONE: return PMDA_FETCH_NOVALUES;
    case AGAIN: return PM_ERR_AGAIN;
    default: return PM_ERR_PMID;
  }
}

static int names_instances(const pmProfile* profile) {
  int i;
  for (i = 0; profile != NULL && i < profile->profile_len; ++i)
    if (profile->profile[i].indom == indoms[0].it_indom) return 1;
  return 0;
}

static int fetch(int count_of_ids, pmID* ids, pmResult** out, pmdaExt* ext) {
  const int sts = pmdaFetch(count_of_ids, ids, out, ext);
  int i;
  for (i = 0; sts >= 0 && i < (*out)->numpmid; ++i)
    if (pmID_item((*out)->vset[i]->pmid) == PICKY && !names_instances(ext->e_prof))
      (*out)->vset[i]->numval = PM_ERR_PROFILE;
  return sts;
}

static int desc(pmID pmid, pmDesc* out, pmdaExt* ext) {
  const int sts = pmdaDesc(pmid, out, ext);
  if (sts < 0 || pmID_item(pmid) != CHANGING) return sts;
  out->type = has_changed ? PM_TYPE_U64 : PM_TYPE_U32;
  out->units.dimSpace = 1;
  out->units.scaleSpace = has_changed ? PM_SPACE_GBYTE : PM_SPACE_MBYTE;
  return 0;
}

/* The number that is stored in the counter says whether the descriptor is the other one. */
static int store(pmResult* result, pmdaExt* ext) {
  const pmValueSet* const set = result->vset[0];
  (void)ext;
  if (pmID_item(set->pmid) != COUNT) return PM_ERR_PERMISSION;
  has_changed = set->vlist[0].value.lval == 1;
  return 0;
}

__PMDA_INIT_CALL
void promised_init(pmdaInterface* agent) {
  static char name[] = "promised DSO";
  pmdaDSO(agent, PMDA_INTERFACE_7, name, NULL);
  if (agent->status != 0) return;
  agent->version.seven.fetch = fetch;
  agent->version.seven.desc = desc;
  agent->version.seven.store = store;
  pmdaSetFetchCallBack(agent, value_of);
  pmdaInit(agent, indoms, 1, metrics, sizeof metrics / sizeof metrics[0]);
}
