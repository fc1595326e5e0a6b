/* Calls about labels: sets of a context, merged, filtered and printed. */
#include "twin.h"

/* Of a time that is known, as in names.c. */
static int place(void) {
  pmLogLabel label;
  if (pmGetArchiveLabel(&label) < 0) return -1;
  label.ll_start.tv_sec += (time_t)pick(4000);
  return pmSetMode(PM_MODE_FORW, &label.ll_start, 0);
}

static int without_some(const pmLabel* label, const char* json, void* flags) {
  (void)flags;
  say(" (%.*s %x)", (int)label->namelen, json + label->name, label->flags);
  return label->namelen % 2;
}

static void call_all_labels(void) {
  pmLabelSet *sets = NULL, *list[6];
  char buffer[2048] = "";
  const pmID pmid = pick_pmid();
  int sts;
  if (place() < 0) return;
  sts = pmLookupLabels(pmid, &sets);
  say(" %x: %d", pmid, sts);
  for (int i = 0; i < sts; ++i) {
    if (sets[i].json) say(" %.*s", (int)sets[i].jsonlen, sets[i].json);
    if (i < 6) list[i] = &sets[i];
  }
  if (sts > 0) {
    const int count = sts < 6 ? sts : 6;
    /* Where there is no room the real library stops, and asks the filter no more. */
    const int small = pick(8) == 0;
    const int merged = pmMergeLabelSets(list, count, buffer, small ? 20 : (int)sizeof buffer,
                                        !small && pick(2) ? without_some : NULL, NULL);
    say(" merged %d", merged);
    if (merged > 0) say_text(buffer);
    pmFreeLabelSets(sets, sts);
  }
}
static void call_print_labels(void) {
  static const int types[] = {PM_LABEL_CONTEXT, PM_LABEL_DOMAIN, PM_LABEL_ITEM};
  pmLabelSet* sets = NULL;
  int sts;
  if (place() < 0) return;
  sts = pmGetContextLabels(&sets);
  say(" %d", sts);
  if (sts > 0) {
    FILE* file = begin_file();
    pmPrintLabelSets(file, (int)pick(300), PICK_OF(types), sets, sts);
    say_file(file);
    pmFreeLabelSets(sets, sts);
  }
}

const struct call label_calls[] = {{"pmLookupLabels", 2, call_all_labels},
                                   {"pmPrintLabelSets", 1, call_print_labels},
                                   {NULL, 0, NULL}};
