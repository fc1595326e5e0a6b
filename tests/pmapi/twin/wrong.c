/* Calls with arguments that are wrong, as far as the real library survives them. */
#include "twin.h"

static void wrong_handles(void) {
  static const int handles[] = {-1, -7, 999, 100000, INT32_MAX, INT32_MIN};
  const int handle = PICK_OF(handles);
  char buffer[64] = "x";
  say(" %d: %d", handle, pmUseContext(handle));
  say(" %d %d", pmDestroyContext(handle), pmReconnectContext(handle));
  say_text(pmGetContextHostName_r(handle, buffer, sizeof buffer));
  say(" %d", pmGetHostName(handle, buffer, sizeof buffer));
  say_text(buffer);
}
static void wrong_counts(void) {
  static const int counts[] = {0, -1, INT32_MIN};
  const int count = PICK_OF(counts);
  const char* name = "kernel.all.load";
  pmID pmid = PM_ID_NULL;
  pmDesc desc;
  pmResult* result = NULL;
  pmHighResResult* fine = NULL;
  say(" %d: %d", count, pmLookupName(count, &name, &pmid));
  say(" %d %d", pmLookupDescs(count, &pmid, &desc), pmFetch(count, &pmid, &result));
  say(" %d", pmFetchHighRes(count, &pmid, &fine));
}
static void wrong_metrics(void) {
  static const pmID pmids[] = {PM_ID_NULL, 0, 1, 0x7fc00001, 0x7fc00000, 0x80000000, 0xfffffffe};
  const pmID pmid = PICK_OF(pmids);
  pmDesc desc;
  char *text = NULL, **names = NULL;
  pmLabelSet* sets = NULL;
  if (IS_DERIVED(pmid)) return; /* which that is depends on what came before */
  say(" %x: %d", pmid, pmLookupDesc(pmid, &desc));
  say(" %d %d", pmNameID(pmid, &text), pmNameAll(pmid, &names));
  say(" %d", pmLookupText(pmid, PM_TEXT_ONELINE, &text));
  say(" %d", pmLookupLabels(pmid, &sets) < 0);
}
static void wrong_domains(void) {
  static const pmInDom domains[] = {PM_INDOM_NULL, 0, 1, 0x80000000, 0xfffffffe, 0x7fffffff};
  const pmInDom indom = PICK_OF(domains);
  int *ids = NULL, list[2] = {1, 2};
  char *text = NULL, **names = NULL;
  say(" %x: %d", indom, pmGetInDom(indom, &ids, &names));
  say(" %d %d", pmLookupInDom(indom, "x"), pmNameInDom(indom, -1, &text));
  say(" %d %d", pmLookupInDomArchive(indom, "x"), pmNameInDomArchive(indom, 1, &text));
  say(" %d", pmLookupInDomText(indom, PM_TEXT_HELP, &text));
  if (indom == PM_INDOM_NULL) say(" %d", pmAddProfile(indom, 2, list));
}
static void wrong_contexts(void) {
  static const char* const hosts[] = {"a:b:c", "", "host:port", "[::1", "pcp://?x", "x@y:z"};
  const int before = pmWhichContext();
  const int archive = (int)pick(2);
  const char* name = archive ? (pick(2) ? "" : "/etc/passwd") : PICK_OF(hosts);
  say(" %s: %d", name, pmNewContext(archive ? PM_CONTEXT_ARCHIVE : PM_CONTEXT_HOST, name));
  say_messages();
  say(" %d", pmWhichContext() == before);
}
static void wrong_texts(void) {
  static const char* const units[] = {
      "kbyte^99",     "1e",     "/",   "//",     "byte byte",
      "count x 10^8", "sec^-9", "0/0", "x 10^2", "Mbyte / sec / sec"};
  static const char* const intervals[] = {
      "",        " ",     "-5", "inf", "nan", "1e400", "0x10", "1.5.5", "99999999999999999999",
      "5 5 sec", "1sec2", "+1"};
  const char* text = PICK_OF(units);
  char* message = NULL;
  pmUnits out = {};
  double by = 0;
  struct timeval time = {};
  int sts = pmParseUnitsStr(text, &out, &by, &message);
  say(" %s: %d", text, sts);
  if (sts < 0) say_text(message), free(message);
  text = PICK_OF(intervals);
  message = NULL;
  sts = pmParseInterval(text, &time, &message);
  say(" %s: %d", text, sts);
  if (sts < 0) say_text(message), free(message);
}
static void wrong_values(void) {
  pmValue value = {.inst = PM_IN_NULL};
  pmAtomValue atom = {};
  pmUnits one = {.dimSpace = 1}, other = {.dimTime = 1};
  struct {
    pmValueBlock head;
    char more[16];
  } block = {};
  const int format = (int)pick(3), type = (int)pick(13) - 1, to = (int)pick(9) - 1;
  block.head.vlen = PM_VAL_HDR_SIZE + 8;
  block.head.vtype = (unsigned)(pick(3) ? type : (int)pick(11)) & 0xff;
  memcpy(block.head.vbuf, "1234567", 8);
  if (format == PM_VAL_INSITU) {
    value.value.lval = (int)pick(100000);
  } else {
    value.value.pval = &block.head;
  }
  if (to == PM_TYPE_STRING || to == PM_TYPE_AGGREGATE) {
    say(" %d", pmConvScale(type, &atom, &one, &atom, &other));
  } else {
    const int sts = pmExtractValue(format, &value, type, &atom, to);
    say(" %d %d>%d: %d", format, type, to, sts);
    if (sts >= 0 && to < PM_TYPE_64) say(" %d", atom.l);
  }
}
static void wrong_modes(void) {
  static const int modes[] = {
      -1,        4, 99, PM_MODE_LIVE, PM_MODE_FORW | PM_XTB_SET(9), PM_MODE_INTERP | PM_XTB_SET(99),
      0x7fffffff};
  const int mode = PICK_OF(modes);
  struct timespec fine = {1000, 0};
  say(" %x: %d", mode, pmSetMode(mode, NULL, 1000));
  say(" %d", pmSetModeHighRes(mode & 0xff, NULL, &fine) < 0);
}
static void fine_modes(void) {
  static const int modes[] = {PM_MODE_INTERP, PM_MODE_FORW, PM_MODE_BACK};
  static const int units[] = {PM_TIME_NSEC, PM_TIME_USEC, PM_TIME_MSEC,
                              PM_TIME_SEC,  PM_TIME_MIN,  PM_TIME_HOUR};
  pmHighResLogLabel label;
  pmHighResResult* result = NULL;
  struct timespec step;
  const int mode = PICK_OF(modes);
  pmID pmid = pick_pmid();
  int sts;
  if (pmGetHighResArchiveLabel(&label) < 0) return;
  label.start.tv_sec += (time_t)pick(2000);
  label.start.tv_nsec = (long)pick(1000000000);
  if (pick(2)) {
    step.tv_sec = (time_t)pick(100), step.tv_nsec = (long)pick(1000000000);
    say(" fine %d: %d", mode, pmSetModeHighRes(mode, &label.start, &step));
  } else {
    const struct timeval when = {label.start.tv_sec, label.start.tv_nsec / 1000};
    const int unit = PICK_OF(units);
    say(" %d %d: %d", mode, unit, pmSetMode(mode | PM_XTB_SET(unit), &when, (int)pick(100)));
  }
  for (int i = 0; i < 2; ++i) {
    sts = pmFetchHighRes(1, &pmid, &result);
    say(" %d", sts < 0 ? sts : 0);
    if (sts >= 0) say_result(result, 1), pmFreeHighResResult(result);
  }
}
static void wrong_stores(void) {
  pmValueSet set = {.pmid = PM_ID_NULL, .numval = (int)pick(3) - 1};
  pmResult result = {.numpmid = (int)pick(3) - 1, .vset = {&set}};
  say(" %d %d: %d", set.numval, result.numpmid, pmStore(&result));
}

const struct call wrong_calls[] = {{"wrong handles", 1, wrong_handles},
                                   {"wrong counts", 1, wrong_counts},
                                   {"wrong metrics", 1, wrong_metrics},
                                   {"wrong domains", 1, wrong_domains},
                                   {"wrong contexts", 1, wrong_contexts},
                                   {"wrong texts", 1, wrong_texts},
                                   {"wrong values", 2, wrong_values},
                                   {"wrong modes", 1, wrong_modes},
                                   {"pmSetModeHighRes", 3, fine_modes},
                                   {"wrong stores", 1, wrong_stores},
                                   {NULL, 0, NULL}};
