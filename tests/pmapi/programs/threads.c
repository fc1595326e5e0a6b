/* Eight threads, each with contexts of its own: what one sees does not depend on the others. */
#include <pthread.h>

#include "program.h"

enum { THREADS = 8, ROUNDS = 30 };
static const char *archive, *name;
struct work {
  int number, failures;
  double sum;
  long values;
};

static void fetch_all(struct work* work, pmID pmid, int type) {
  pmResult* result;
  int i, sts;
  while ((sts = pmFetch(1, &pmid, &result)) >= 0) {
    for (i = 0; i < result->vset[0]->numval; ++i) {
      pmAtomValue atom;
      if (pmExtractValue(result->vset[0]->valfmt, &result->vset[0]->vlist[i], type, &atom,
                         PM_TYPE_DOUBLE) < 0)
        ++work->failures;
      else
        work->sum += atom.d;
      ++work->values;
    }
    pmFreeResult(result);
  }
  if (sts != PM_ERR_EOL) ++work->failures;
}

static void* run(void* closure) {
  struct work* work = closure;
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    int context = pmNewContext(PM_CONTEXT_ARCHIVE, archive), copy;
    pmID pmid;
    pmDesc desc;
    char text[60];
    if (context < 0 || pmLookupName(1, &name, &pmid) < 0 || pmLookupDesc(pmid, &desc) < 0) {
      ++work->failures;
      continue;
    }
    if (!pmIDStr_r(pmid, text, sizeof text) || !pmUnitsStr_r(&desc.units, text, sizeof text))
      ++work->failures;
    copy = work->number % 2 ? pmDupContext() : context;
    fetch_all(work, pmid, desc.type);
    if (copy != context && pmDestroyContext(copy) < 0) ++work->failures;
    if (pmDestroyContext(context) < 0) ++work->failures;
    if (pmWhichContext() != PM_ERR_NOCONTEXT) ++work->failures;
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  struct work works[THREADS];
  int i;
  if (argc < 3) return 1;
  archive = argv[1];
  name = argv[2];
  memset(works, 0, sizeof works);
  for (i = 0; i < THREADS; ++i) {
    works[i].number = i;
    pthread_create(&threads[i], NULL, run, &works[i]);
  }
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    printf("%d: %ld values, sum %.10g, %d failures\n", i, works[i].values, works[i].sum,
           works[i].failures);
  }
  SHOW(pmWhichContext());
  return 0;
}
