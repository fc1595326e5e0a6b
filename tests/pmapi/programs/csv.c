/* An archive as a table: a column for each instance of each metric, known from the whole archive.
 */
#include "program.h"

struct column {
  int metric, inst;
  char* name;
};
static struct column columns[500];
static int columns_count;

static void add(int which, int inst, const char* name, const char* instance) {
  char text[300];
  struct column* to;
  if (columns_count == 500) return;
  to = &columns[columns_count++];
  to->metric = which;
  to->inst = inst;
  if (instance)
    pmsprintf(text, sizeof text, "%s-%s", name, instance);
  else
    pmstrncpy(text, sizeof text, name);
  to->name = strdup(text);
}

static void expand(int which, const char* name, pmInDom indom) {
  int *ids, count, i;
  char** names;
  if (indom == PM_INDOM_NULL) {
    add(which, (int)PM_IN_NULL, name, NULL);
    return;
  }
  count = pmGetInDomArchive(indom, &ids, &names);
  for (i = 0; i < count; ++i) add(which, ids[i], name, names[i]);
  if (count > 0) {
    free(ids);
    free(names);
  }
}

static void cell(const pmValueSet* set, int inst, int type) {
  int i;
  for (i = 0; i < set->numval; ++i) {
    if (set->vlist[i].inst != inst) continue;
    pmPrintValue(stdout, set->valfmt, type, &set->vlist[i], 1);
    return;
  }
}

int main(int argc, char** argv) {
  pmID pmids[20];
  pmDesc descs[20];
  pmLogLabel label;
  struct timeval end, step = {0, 0};
  pmResult* result;
  char* message;
  int i, count = argc - 4, sts;
  if (count < 1 || count > 20 || open_context(argc, argv) < 0) return 1;
  if (pmParseInterval(argv[3], &step, &message) < 0) {
    printf("%s", message);
    free(message);
    return 1;
  }
  SHOW(pmLookupName(count, (const char**)argv + 4, pmids));
  for (i = 0; i < count; ++i) {
    descs[i].type = PM_TYPE_UNKNOWN;
    if (pmLookupDesc(pmids[i], &descs[i]) >= 0) expand(i, argv[4 + i], descs[i].indom);
  }
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmGetArchiveEnd(&end));
  SHOW(pmNewContextZone());
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, (int)(pmtimevalToReal(&step) * 1000)));
  printf("time");
  for (i = 0; i < columns_count; ++i) printf(",%s", columns[i].name);
  printf("\n");
  while ((sts = pmFetch(count, pmids, &result)) >= 0) {
    pmPrintStamp(stdout, &result->timestamp);
    for (i = 0; i < columns_count; ++i) {
      putchar(',');
      cell(result->vset[columns[i].metric], columns[i].inst, descs[columns[i].metric].type);
    }
    putchar('\n');
    pmFreeResult(result);
  }
  printf("%s\n", pmErrStr(sts));
  return 0;
}
