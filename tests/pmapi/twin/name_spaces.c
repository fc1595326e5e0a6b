/* Name space files: each call writes one, loads it, asks for some names, and unloads it. */
#include "twin.h"

static void write_file(FILE* file) {
  static const char* const subtrees[] = {"a", "b", "disk", "kernel"};
  const unsigned count = 1 + pick(3);
  const int brace = pick(15) != 0;
  if (pick(25) == 0) fprintf(file, "/* a comment */\n");
  if (pick(25) == 0) fprintf(file, "#define ONE 1\n");
  fprintf(file, pick(20) ? "root {\n" : "toor {\n");
  for (unsigned i = 0; i < count; ++i) fprintf(file, "  %s\n", subtrees[i]);
  if (pick(3) == 0) fprintf(file, "  leaf 1:%u:3\n", pick(5000));
  if (brace || count > 1) fprintf(file, "}\n");
  for (unsigned i = 0; i < count; ++i) {
    if (pick(25) == 0) continue;
    fprintf(file, pick(25) ? "%s {\n" : "%s{\n", subtrees[i]);
    for (unsigned k = pick(4); k-- > 0;) {
      static const char* const pmids[] = {"2:*:*", "1:2", "x:1:1", "600:1:1", "2:5000:1"};
      if (pick(20) == 0) {
        fprintf(file, "  m%u %s\n", k, PICK_OF(pmids));
      } else {
        fprintf(file, "  m%u %u:%u:%u\n", pick(4), 1 + pick(2), pick(3), pick(4));
      }
    }
    fprintf(file, "}\n");
  }
}

static void say_leaf(const char* name, void* unused) {
  (void)unused;
  if (strncmp(name, "event.", 6) != 0 && strncmp(name, "twin.", 5) != 0) say_text(name);
}

static void ask(void) {
  static const char* const names[] = {"a.m1", "b.m0", "disk.m2", "leaf", "a", "kernel.m1", "x"};
  const char* name = PICK_OF(names);
  char *one = NULL, **all = NULL;
  int *kinds = NULL, sts;
  pmID pmid = PM_ID_NULL;
  sts = pmLookupName(1, &name, &pmid);
  say(" %s: %d %x", name, sts, sts < 0 ? 0 : pmid);
  pmid = pmID_build(1 + pick(2), pick(3), pick(4));
  sts = pmNameID(pmid, &one);
  say(" id %d", sts);
  if (sts >= 0) say_text(one), free(one);
  sts = pmNameAll(pmid, &all);
  say(" all %d", sts);
  for (int i = 0; i < sts; ++i) say_text(all[i]);
  if (sts > 0) free(all);
  name = pick(2) ? "a" : "disk";
  sts = pmGetChildrenStatus(name, &all, &kinds);
  say(" children %d", sts);
  for (int i = 0; i < sts; ++i) say_text(all[i]), say(" %d", kinds[i]);
  if (sts > 0) free(all), free(kinds);
  say(" leaves %d", pmTraversePMNS_r(name, say_leaf, NULL) >= 0);
  say(" %d", pmGetPMNSLocation());
}

/* After a load that fails the real library has half a name space, and crashes over some. */
static int load(int (*load_it)(const char*), const char* path) {
  char text[2048];
  int sts;
  size_t got;
  FILE* file = fopen(path, "w");
  write_file(file);
  fclose(file);
  file = fopen(path, "r");
  got = fread(text, 1, sizeof text - 1, file);
  text[got] = '\0';
  fclose(file);
  sts = load_it(path);
  say(" %s: %d", text, sts);
  say_messages();
  return sts;
}
static int load_checked(const char* path) { return pmLoadASCIINameSpace(path, (int)pick(2)); }

static void call_load(void) {
  int sts;
  if (load(pmLoadNameSpace, known.names_file) < 0) {
    pmUnloadNameSpace();
    return;
  }
  ask();
  if (pick(5) == 0) {
    say(" again %d", pmLoadNameSpace(known.names_file));
    say_messages();
  }
  if (pick(5) == 0) {
    sts = pmTrimNameSpace();
    say(" trim %d", sts);
    ask();
  }
  pmUnloadNameSpace();
}
/* It starts a program, which takes long. */
static void call_load_checked(void) {
  if (pick(4)) return;
  if (load(load_checked, known.names_file) >= 0) ask();
  pmUnloadNameSpace();
}

const struct call space_calls[] = {{"pmLoadNameSpace", 2, call_load},
                                   {"pmLoadASCIINameSpace", 1, call_load_checked},
                                   {NULL, 0, NULL}};
