/* An exporter of metrics in the text form that web monitors take: help, type, labels, values. */
#include <ctype.h>

#include "program.h"

enum { MANY = 400 };
static char* names[MANY];
static int count;

static void leaf(const char* name, void* closure) {
  (void)closure;
  if (count < MANY) names[count++] = strdup(name);
}

static void put_name(const char* name) {
  for (; *name; ++name) putchar(isalnum((unsigned char)*name) ? *name : '_');
}

static void put_escaped(const char* text) {
  for (; *text; ++text) {
    if (*text == '\n') {
      fputs("\\n", stdout);
      continue;
    }
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
}

/* The labels of one instance, merged over all levels, as JSON. */
static void put_labels(pmLabelSet* sets, int levels, int inst) {
  pmLabelSet* all[6];
  char text[PM_MAXLABELJSONLEN];
  int i, used = 0;
  for (i = 0; i < levels && used < 6; ++i)
    if (sets[i].inst == PM_IN_NULL || sets[i].inst == (unsigned)inst) all[used++] = &sets[i];
  text[0] = '\0';
  i = pmMergeLabelSets(all, used, text, sizeof text, NULL, NULL);
  if (i < 0)
    printf("{!%s}", pmErrStr(i));
  else
    fputs(text, stdout);
}

static void put_value(const pmDesc* desc, const pmValueSet* set, int at) {
  pmAtomValue atom, scaled;
  pmUnits base = desc->units;
  int sts = pmExtractValue(set->valfmt, &set->vlist[at], desc->type, &atom, PM_TYPE_DOUBLE);
  if (sts < 0) {
    printf(" !%s\n", pmErrStr(sts));
    return;
  }
  if (base.dimSpace == 1) base.scaleSpace = PM_SPACE_BYTE;
  if (base.dimTime == 1) base.scaleTime = PM_TIME_SEC;
  if (base.dimCount == 1) base.scaleCount = PM_COUNT_ONE;
  sts = pmConvScale(PM_TYPE_DOUBLE, &atom, &desc->units, &scaled, &base);
  printf(" %.15g\n", sts < 0 ? atom.d : scaled.d);
}

static void put_instance(const pmDesc* desc, int inst) {
  char* instance = NULL;
  if (desc->indom == PM_INDOM_NULL) return;
  if (pmNameInDom(desc->indom, inst, &instance) < 0) instance = NULL;
  printf("[%d,\"", inst);
  put_escaped(instance ? instance : "?");
  printf("\"]");
  free(instance);
}

static void put_metric(const char* name, const pmDesc* desc, const pmValueSet* set) {
  char* help = NULL;
  pmLabelSet* sets = NULL;
  int i, levels;
  if (pmLookupText(desc->pmid, PM_TEXT_ONELINE, &help) < 0) help = NULL;
  printf("# HELP ");
  put_name(name);
  putchar(' ');
  put_escaped(help ? help : "");
  printf("\n# TYPE ");
  put_name(name);
  printf(" %s %s %s\n", desc->sem == PM_SEM_COUNTER ? "counter" : "gauge", pmTypeStr(desc->type),
         pmUnitsStr(&desc->units));
  free(help);
  if (set->numval <= 0) printf("# none: %d\n", set->numval);
  levels = pmLookupLabels(desc->pmid, &sets);
  for (i = 0; i < set->numval && i < 12; ++i) {
    put_name(name);
    put_instance(desc, set->vlist[i].inst);
    if (levels > 0) put_labels(sets, levels, set->vlist[i].inst);
    if (desc->type >= PM_TYPE_STRING || desc->type < 0) {
      putchar(' ');
      pmPrintValue(stdout, set->valfmt, desc->type, &set->vlist[i], 1);
      putchar('\n');
    } else {
      put_value(desc, set, i);
    }
  }
  if (levels > 0) pmFreeLabelSets(sets, levels);
}

int main(int argc, char** argv) {
  static pmID pmids[MANY];
  static pmDesc descs[MANY];
  pmHighResResult* result;
  int i, sts;
  if (open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc; ++i)
    if ((sts = pmTraversePMNS_r(argv[i], leaf, NULL)) < 0)
      printf("%s: %s\n", argv[i], pmErrStr(sts));
  if (count == 0) return 1;
  SHOW(pmLookupName(count, (const char**)names, pmids));
  SHOW(pmLookupDescs(count, pmids, descs));
  sts = pmFetchHighRes(count, pmids, &result);
  if (sts < 0) {
    printf("pmFetchHighRes: %s\n", pmErrStr(sts));
    return 1;
  }
  for (i = 0; i < count; ++i)
    if (descs[i].pmid != PM_ID_NULL) put_metric(names[i], &descs[i], result->vset[i]);
  pmFreeHighResResult(result);
  for (i = 0; i < count; ++i) free(names[i]);
  return 0;
}
