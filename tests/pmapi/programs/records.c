/* An archive record by record, forward and backward: what each has, and where the recording
 * stopped. */
#include "program.h"

struct sums {
  int records, marks, sets, values, errors;
  double first, last;
};

static void add(struct sums* sums, const pmResult* result) {
  int i;
  double at = pmtimevalToReal(&result->timestamp);
  if (sums->records++ == 0) sums->first = at;
  sums->last = at;
  if (result->numpmid == 0) {
    ++sums->marks;
    printf("mark at %.6f\n", at);
  }
  for (i = 0; i < result->numpmid; ++i) {
    ++sums->sets;
    if (result->vset[i]->numval < 0)
      ++sums->errors;
    else
      sums->values += result->vset[i]->numval;
  }
}

static void scan(int mode, const struct timeval* from) {
  struct sums sums = {0};
  pmResult* result;
  int sts;
  SHOW(pmSetMode(mode, from, 0));
  while ((sts = pmFetchArchive(&result)) >= 0) {
    if (sums.records < 3) show_result(result);
    add(&sums, result);
    pmFreeResult(result);
  }
  printf("%d records, %d marks, %d sets, %d values, %d errors, %.6f to %.6f: %s\n", sums.records,
         sums.marks, sums.sets, sums.values, sums.errors, sums.first, sums.last, pmErrStr(sts));
}

int main(int argc, char** argv) {
  pmLogLabel label;
  pmResult* result;
  struct timeval end;
  if (open_context(argc, argv) < 0) return 1;
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmGetArchiveEnd(&end));
  printf("%x %d %s %s\n", label.ll_magic, label.ll_pid, label.ll_hostname, label.ll_tz);
  SHOW(pmFetchArchive(&result) < 0 ? -1 : (pmFreeResult(result), 0));
  scan(PM_MODE_FORW, &label.ll_start);
  SHOW(pmFetchArchive(&result));
  scan(PM_MODE_BACK, &end);
  end.tv_sec += 1000;
  scan(PM_MODE_FORW, &end);
  label.ll_start.tv_sec -= 1000;
  scan(PM_MODE_BACK, &label.ll_start);
  SHOW(pmSetMode(PM_MODE_INTERP, &end, 1000));
  SHOW(pmFetchArchive(&result));
  return 0;
}
