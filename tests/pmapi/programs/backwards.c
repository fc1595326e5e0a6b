/* An archive from its end to its start and back, with marks; the times go the right way. */
#include "program.h"

static void read_all(const char* what, int mode, const struct timeval* from, pmID pmid) {
  struct timeval before = {0, 0};
  int count = 0, wrong = 0, empty = 0, values = 0, sts;
  pmResult* result;
  printf("%s: %d\n", what, pmSetMode(mode, from, 0));
  while ((sts = pmFetch(1, &pmid, &result)) >= 0) {
    const double step = pmtimevalSub(&result->timestamp, &before);
    if (count++ > 0 && (mode == PM_MODE_FORW ? step < 0 : step > 0)) ++wrong;
    before = result->timestamp;
    if (result->numpmid == 0)
      ++empty;
    else if (result->vset[0]->numval > 0)
      values += result->vset[0]->numval;
    pmSortInstances(result);
    if (count <= 3) show_result(result);
    pmFreeResult(result);
  }
  printf("%d fetches, %d values, %d empty, %d wrong, %ld.%06ld, %s\n", count, values, empty, wrong,
         (long)before.tv_sec, (long)before.tv_usec, pmErrStr(sts));
}

int main(int argc, char** argv) {
  pmLogLabel label;
  struct timeval end, middle;
  int i;
  if (open_context(argc, argv) < 0) return 1;
  if (pmGetArchiveLabel(&label) < 0 || pmGetArchiveEnd(&end) < 0) return 1;
  middle = label.ll_start;
  middle.tv_sec += (end.tv_sec - middle.tv_sec) / 2;
  for (i = 3; i < argc; ++i) {
    const pmID pmid = metric(argv[i]);
    read_all("back", PM_MODE_BACK, &end, pmid);
    read_all("forward", PM_MODE_FORW, &label.ll_start, pmid);
    read_all("back from the middle", PM_MODE_BACK, &middle, pmid);
    read_all("forward from the middle", PM_MODE_FORW, &middle, pmid);
  }
  return 0;
}
