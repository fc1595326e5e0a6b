/* Several contexts in turn: each keeps its place, its profile and its mode. */
#include "program.h"

static void fetch(const char* what, int context, pmID pmid) {
  pmResult* result;
  int sts;
  printf("%s: ", what);
  if ((sts = pmUseContext(context)) < 0) {
    printf("pmUseContext: %s\n", pmErrStr(sts));
    return;
  }
  if ((sts = pmFetch(1, &pmid, &result)) < 0) {
    printf("pmFetch: %s\n", pmErrStr(sts));
    return;
  }
  show_result(result);
  pmFreeResult(result);
}

static void names(int context) {
  char text[100];
  printf("<%s>\n", pmGetContextHostName(context));
  printf("<%s>\n", pmGetContextHostName_r(context, text, sizeof text));
  printf("<%s>\n", pmGetContextHostName_r(context, text, 4));
  SHOW(pmGetHostName(context, text, sizeof text));
  printf("<%s>\n", text);
  SHOW(pmGetHostName(context, text, 3));
  printf("<%s>\n", text);
}

int main(int argc, char** argv) {
  int a, b, copy, other, i, none[1] = {1};
  pmID pmid;
  pmDesc desc;
  pmLogLabel label;
  if (argc < 4) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmWhichContext());
  SHOW(pmDupContext());
  a = pmNewContext(PM_CONTEXT_ARCHIVE, argv[1]);
  b = pmNewContext(PM_CONTEXT_ARCHIVE, argv[1]);
  other = pmNewContext(PM_CONTEXT_ARCHIVE, argv[2]);
  printf("%d %d %d\n", a, b, other);
  pmid = metric(argv[3]);
  SHOW(pmUseContext(a));
  SHOW(pmLookupDesc(pmid, &desc));
  names(a);
  names(99);
  for (i = 0; i < 3; ++i) {
    fetch("a", a, pmid);
    fetch("b", b, pmid);
    fetch("other", other, pmid);
    fetch("a again", a, pmid);
  }
  SHOW(pmUseContext(a));
  SHOW(pmGetArchiveLabel(&label));
  SHOW(pmSetMode(PM_MODE_INTERP, &label.ll_start, 60000));
  fetch("a", a, pmid);
  copy = pmDupContext();
  printf("copy %d\n", copy);
  SHOW(pmWhichContext());
  fetch("copy", copy, pmid);
  fetch("a", a, pmid);
  fetch("copy", copy, pmid);
  SHOW(pmUseContext(b));
  SHOW(pmDelProfile(desc.indom, 0, NULL));
  SHOW(pmAddProfile(desc.indom, 1, none));
  fetch("b", b, pmid);
  fetch("a", a, pmid);
  SHOW(pmDestroyContext(a));
  SHOW(pmWhichContext());
  fetch("a", a, pmid);
  fetch("copy", copy, pmid);
  SHOW(pmDestroyContext(copy));
  SHOW(pmWhichContext());
  SHOW(pmDestroyContext(copy));
  SHOW(pmUseContext(copy));
  SHOW(pmReconnectContext(other));
  fetch("other", other, pmid);
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, "/nonexistent"));
  SHOW(pmWhichContext());
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, argv[1]));
  return 0;
}
