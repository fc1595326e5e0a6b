/* A monitor with a list of names as pmgenmap writes it: each value has a number and a variable. */
#include "program.h"

static const char* init[] = {
#define NUMCPU 0
    "hinv.ncpu",
};
static const char* sample[] = {
#define LOADAV 0
    "kernel.all.load",
#define CPU_USR 1
    "kernel.percpu.cpu.user",
#define CPU_SYS 2
    "kernel.percpu.cpu.sys",
#define FREEMEM 3
    "mem.freemem",
#define DKIOPS 4
    "disk.all.total",
#define PHYSMEM 5
    "mem.physmem",
};
enum { SAMPLES = sizeof sample / sizeof sample[0] };

static pmUnits mbyte = {.dimSpace = 1, .scaleSpace = PM_SPACE_MBYTE};
static pmDesc descs[SAMPLES];

static int cpus(void) {
  pmID pmid;
  pmDesc desc;
  pmResult* result;
  pmAtomValue atom;
  int sts;
  if ((sts = pmLookupName(1, init, &pmid)) < 0 || (sts = pmLookupDesc(pmid, &desc)) < 0 ||
      (sts = pmFetch(1, &pmid, &result)) < 0) {
    printf("%s: %s\n", init[NUMCPU], pmErrStr(sts));
    return 0;
  }
  sts = result->vset[0]->numval < 1
            ? PM_ERR_VALUE
            : pmExtractValue(result->vset[0]->valfmt, result->vset[0]->vlist, desc.type, &atom,
                             PM_TYPE_U32);
  if (sts < 0) printf("ncpu: %s\n", pmErrStr(sts));
  pmFreeResult(result);
  return sts < 0 ? 0 : (int)atom.ul;
}

/* Of the first instance. */
static double one(const pmResult* result, int which, const pmUnits* units) {
  pmAtomValue atom, scaled;
  const pmValueSet* set = result->vset[which];
  int sts;
  if (set->numval < 1) return -1;
  sts = pmExtractValue(set->valfmt, set->vlist, descs[which].type, &atom, PM_TYPE_FLOAT);
  if (sts >= 0 && units) {
    sts = pmConvScale(PM_TYPE_FLOAT, &atom, &descs[which].units, &scaled, units);
    atom = scaled;
  }
  if (sts < 0) printf("%s: %s\n", sample[which], pmErrStr(sts));
  return sts < 0 ? -1 : atom.f;
}

static double total(const pmResult* result, int which) {
  double sum = 0;
  pmAtomValue atom;
  const pmValueSet* set = result->vset[which];
  int i;
  for (i = 0; i < set->numval; ++i)
    if (pmExtractValue(set->valfmt, &set->vlist[i], descs[which].type, &atom, PM_TYPE_DOUBLE) >= 0)
      sum += atom.d;
  return sum;
}

int main(int argc, char** argv) {
  pmID* pmids = malloc(SAMPLES * sizeof pmids[0]);
  pmResult* result;
  int i, sts, samples = 5;
  if (open_context(argc, argv) < 0) return 1;
  if ((sts = pmLookupName(SAMPLES, sample, pmids)) < SAMPLES) {
    printf("pmLookupName: %d %s\n", sts, sts < 0 ? pmErrStr(sts) : "");
    for (i = 0; i < SAMPLES; ++i)
      if (pmids[i] == PM_ID_NULL) printf("metric \"%s\" not in name space\n", sample[i]);
    if (sts < 0) return 1;
  }
  printf("%d cpus\n", cpus());
  for (i = 0; i < SAMPLES; ++i)
    if ((sts = pmLookupDesc(pmids[i], &descs[i])) < 0)
      printf("pmLookupDesc %s: %s\n", sample[i], pmErrStr(sts));
  while (samples-- > 0) {
    if ((sts = pmFetch(SAMPLES, pmids, &result)) < 0) {
      printf("pmFetch: %s\n", pmErrStr(sts));
      break;
    }
    printf("load %.2f user %.0f sys %.0f free %.3f of %.3f iops %.0f\n", one(result, LOADAV, NULL),
           total(result, CPU_USR), total(result, CPU_SYS), one(result, FREEMEM, &mbyte),
           one(result, PHYSMEM, &mbyte), total(result, DKIOPS));
    pmFreeResult(result);
  }
  free(pmids);
  return 0;
}
