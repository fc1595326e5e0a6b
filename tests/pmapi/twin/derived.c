/* Derived metrics of random definitions: each call has a fresh context, and takes it away again. */
#include "twin.h"

static char* g_at;
static size_t g_room;

static void add(const char* text) {
  const size_t length = strlen(text);
  if (length + 1 > g_room) return;
  memcpy(g_at, text, length + 1);
  g_at += length;
  g_room -= length;
}

/* Operands have one domain: the first that was picked. */
static const char* g_first;
static const char* operand(void) {
  if (g_first == NULL || pick(3) == 0) g_first = pick_archived();
  return g_first;
}

static void add_term(unsigned depth) {
  static const char* const functions[] = {"rate(", "delta(", "instant(", "sum(", "avg(",
                                          "count(",   "abs(", "float("};
  static const char* const numbers[] = {"2", "0.5", "1e3", "100", "0"};
  static const char* const operators[] = {
      " + ", " - ", " * ", " / ", " < ", " >= ", " == ", " && ", " || ", "+", " != "};
  switch (depth == 0 ? pick(2) : pick(7)) {
    case 0: add(operand()); break;
    case 1: add(pick(3) ? operand() : PICK_OF(numbers)); break;
    case 2:
    case 3:
      add(PICK_OF(functions));
      if (pick(5)) {
        add(operand());
      } else {
        add_term(depth - 1);
      }
      add(")");
      break;
    case 4:
      add("(");
      add_term(depth - 1);
      add(")");
      break;
    default:
      add_term(depth - 1);
      add(PICK_OF(operators));
      add_term(depth - 1);
      break;
  }
  if (pick(60) == 0) add(pick(2) ? ")" : " @");
}

static void make_definition(char* text, size_t room) {
  g_at = text;
  g_room = room;
  g_first = NULL;
  *text = '\0';
  add_term(1 + pick(2));
}

static void say_desc(pmID pmid) {
  pmDesc desc;
  unsigned units;
  const int sts = pmLookupDesc(pmid, &desc);
  say(" desc %d", sts);
  if (sts < 0) return;
  memcpy(&units, &desc.units, sizeof units);
  say(" %d %x %d %x", desc.type, desc.indom, desc.sem, units);
}

static void fetch_some(pmID pmid) {
  pmLogLabel label;
  pmResult* result = NULL;
  static const int steps[] = {1000, 60000, 10000};
  if (pmGetArchiveLabel(&label) < 0) return;
  label.ll_start.tv_sec += (time_t)pick(1000);
  pmSetMode(PM_MODE_INTERP, &label.ll_start, PICK_OF(steps));
  for (unsigned i = 1 + pick(3); i-- > 0;) {
    const int sts = pmFetch(1, &pmid, &result);
    say(" fetch %d", sts < 0 ? sts : 0);
    if (sts < 0) continue;
    for (int k = 0; k < result->numpmid; ++k) result->vset[k]->pmid = 0;
    say_result((const pmHighResResult*)result, 0);
    pmFreeResult(result);
  }
}

static void call_defined(void) {
  char text[256], *message = NULL;
  const char* name = "own.metric";
  pmID pmid = PM_ID_NULL;
  int sts;
  const int before = pmWhichContext();
  const int handle =
      pmNewContext(PM_CONTEXT_ARCHIVE, known.archives[pick((unsigned)known.archive_count)]);
  make_definition(text, sizeof text);
  sts = pmAddDerivedMetric(name, text, &message);
  say(" %s: %d", text, sts);
  if (sts < 0) {
    say_text(message), free(message);
  } else {
    sts = pmLookupName(1, &name, &pmid);
    say(" name %d", sts);
    if (sts >= 0) say_desc(pmid), fetch_some(pmid);
  }
  pmDestroyContext(handle);
  pmUseContext(before);
}

const struct call derived_calls[] = {{"pmAddDerivedMetric", 3, call_defined}, {NULL, 0, NULL}};
