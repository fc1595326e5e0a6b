/* A report of how much of a time window each metric covers: pmParseTimeWindow as tools call it
 * themselves, windows inside one another, then averages weighted by time. */
#include "program.h"

static void put(const char* what, struct timeval at) {
  printf("%s %ld.%06ld ", what, (long)at.tv_sec, (long)at.tv_usec);
}

static int window(const char* words, const struct timeval* start, const struct timeval* end,
                  struct timeval* from, struct timeval* to, struct timeval* offset) {
  char copy[200], *part[4] = {NULL, NULL, NULL, NULL}, *next = copy, *message = NULL;
  int i, sts;
  snprintf(copy, sizeof copy, "%s", words);
  for (i = 0; i < 4 && next; ++i) {
    part[i] = strsep(&next, "|");
    if (*part[i] == '\0') part[i] = NULL;
  }
  sts =
      pmParseTimeWindow(part[0], part[1], part[2], part[3], start, end, from, to, offset, &message);
  printf("<%s> %d ", words, sts);
  if (sts >= 0) {
    put("from", *from);
    put("to", *to);
    put("first", *offset);
  }
  if (sts < 0 && message) {
    printf("\n%s", message);
    free(message);
  }
  printf("\n");
  return sts;
}

static void mean(const char* name, struct timeval from, struct timeval to) {
  pmID pmid = metric(name);
  pmResult* result;
  pmDesc desc;
  double sum = 0, covered = 0, last = 0, value = 0;
  int rows = 0;
  if (pmLookupDesc(pmid, &desc) < 0) return;
  if (pmSetMode(PM_MODE_FORW, &from, 0) < 0) return;
  while (pmFetch(1, &pmid, &result) >= 0 && rows < 5000) {
    double now = pmtimevalToReal(&result->timestamp);
    pmAtomValue atom;
    if (pmtimevalSub(&result->timestamp, &to) > 0) {
      pmFreeResult(result);
      break;
    }
    if (rows++ > 0 && now > last) {
      sum += value * (now - last);
      covered += now - last;
    }
    last = now;
    if (result->vset[0]->numval > 0 &&
        pmExtractValue(result->vset[0]->valfmt, &result->vset[0]->vlist[0], desc.type, &atom,
                       PM_TYPE_DOUBLE) >= 0)
      value = atom.d;
    pmFreeResult(result);
  }
  printf("  %s: %d rows, %.6f s, mean %.9g\n", name, rows, covered,
         covered > 0 ? sum / covered : 0);
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval end, from, to, offset;
  int i, k;
  if (open_context(argc, argv) < 0) return 1;
  if (pmGetArchiveLabel(&label) < 0 || pmGetArchiveEnd(&end) < 0) return 1;
  put("label", label.ll_start);
  put("end", end);
  printf("%s %s\n", label.ll_hostname, label.ll_tz);
  SHOW(pmNewContextZone());
  for (i = 3; i < argc; ++i) {
    if (strchr(argv[i], '|') == NULL) continue;
    if (window(argv[i], &label.ll_start, &end, &from, &to, &offset) < 0) continue;
    for (k = 3; k < argc; ++k)
      if (strchr(argv[k], '|') == NULL) mean(argv[k], from, to);
  }
  return 0;
}
