/* Threads that each open what they are given, read it to the end and close it, again and again; the
 * sums are printed in order. */
#include <pthread.h>

#include "program.h"

enum { MOST = 12, ROUNDS = 6 };
struct guest {
  const char *kind, *source;
  int count;
  char** names;
  unsigned long rows, values, errors, names_length;
  int last, opened;
};

static void leaf(const char* name, void* closure) {
  ((struct guest*)closure)->names_length += strlen(name);
}

static void one_round(struct guest* of) {
  pmID pmids[MOST];
  pmResult* result;
  char room[100];
  int i, k, sts, live = strcmp(of->kind, "host") == 0;
  int context = pmNewContext(live ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, of->source);
  if ((of->opened = context >= 0) == 0) {
    of->last = context;
    return;
  }
  of->names_length += strlen(pmGetContextHostName_r(context, room, sizeof room));
  if (pmTraversePMNS_r("", leaf, of) < 0) ++of->errors;
  if (pmLookupName(of->count, (const char**)of->names, pmids) < 0) ++of->errors;
  for (i = 0; i < 60 && (sts = pmFetch(of->count, pmids, &result)) >= 0; ++i) {
    ++of->rows;
    for (k = 0; k < result->numpmid; ++k) {
      if (result->vset[k]->numval < 0)
        ++of->errors;
      else
        of->values += (unsigned)result->vset[k]->numval;
    }
    pmFreeResult(result);
    if (live && i > 3) break;
  }
  of->last = sts;
  if (pmDestroyContext(context) < 0) ++of->errors;
}

static void* work(void* closure) {
  int i;
  for (i = 0; i < ROUNDS; ++i) one_round(closure);
  return NULL;
}

/* guests COUNT NAME… then pairs of kind and source */
int main(int argc, char** argv) {
  static struct guest guests[MOST];
  pthread_t threads[MOST];
  int i, count = 0, names;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 5) return 1;
  names = atoi(argv[1]);
  for (i = 2 + names; i + 1 < argc && count < MOST; i += 2)
    guests[count++] = (struct guest){argv[i], argv[i + 1], names, argv + 2, 0, 0, 0, 0, 0, 0};
  for (i = 0; i < count; ++i) pthread_create(&threads[i], NULL, work, &guests[i]);
  for (i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  for (i = 0; i < count; ++i)
    printf("%s %s: %s, %lu rows, %lu values, %lu errors, %lu, %s\n", guests[i].kind,
           guests[i].source, guests[i].opened ? "open" : "closed", guests[i].rows, guests[i].values,
           guests[i].errors, guests[i].names_length,
           guests[i].last < 0 ? pmErrStr(guests[i].last) : "");
  SHOW(pmWhichContext());
  return 0;
}
