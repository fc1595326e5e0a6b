/* Every way of going through an archive. Words are steps: MODE[.UNIT][@SECONDS][,DELTA], where MODE
 * is forw, back, interp, live or a number, and the seconds count from the start, or before the end.
 */
#include "program.h"

static pmID pmids[10];
static int count;
static pmLogLabel label;
static struct timeval end;

static int mode_of(const char* word) {
  static const char* units[] = {"nsec", "usec", "msec", "sec", "min", "hour"};
  int mode = strncmp(word, "forw", 4) == 0     ? PM_MODE_FORW
             : strncmp(word, "back", 4) == 0   ? PM_MODE_BACK
             : strncmp(word, "interp", 6) == 0 ? PM_MODE_INTERP
             : strncmp(word, "live", 4) == 0   ? PM_MODE_LIVE
                                               : atoi(word);
  int i;
  const char* dot = strchr(word, '.');
  for (i = 0; dot && i < 6; ++i)
    if (strncmp(dot + 1, units[i], strlen(units[i])) == 0) mode |= PM_XTB_SET(i);
  return mode;
}

static void set(const char* word) {
  const char *at = strchr(word, '@'), *comma = strchr(word, ',');
  int mode = mode_of(word), delta = comma ? atoi(comma + 1) : 0, sts;
  struct timeval when, *place = NULL;
  if (at) {
    double seconds = atof(at + 1);
    when = seconds < 0 || at[1] == '-' ? end : label.ll_start;
    pmtimevalFromReal(pmtimevalToReal(&when) + seconds, &when);
    place = &when;
  }
  sts = pmSetMode(mode, place, delta);
  printf("%s: %d%s%s\n", word, sts, sts < 0 ? " " : "", sts < 0 ? pmErrStr(sts) : "");
}

static void fetch(void) {
  pmResult* result;
  int sts = pmFetch(count, pmids, &result);
  if (sts < 0) {
    printf("pmFetch: %s\n", pmErrStr(sts));
    return;
  }
  pmSortInstances(result);
  show_result(result);
  pmFreeResult(result);
}

/* The words behind the metrics begin with the first one that has an upper-case S in front: "S". */
int main(int argc, char** argv) {
  int i, k;
  if (argc < 4 || open_context(argc, argv) < 0) return 1;
  for (i = 3; i < argc && strcmp(argv[i], "S") != 0 && count < 10; ++i)
    pmids[count++] = metric(argv[i]);
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmGetArchiveEnd(&end));
  for (++i; i < argc; ++i) {
    set(argv[i]);
    for (k = 0; k < 4; ++k) fetch();
  }
  return 0;
}
