/* Name spaces of the program's own: from files, good and bad ones, beside those of contexts. */
#include "program.h"

static char path[300];

static const char* file(const char* text) {
  FILE* out = fopen(path, "w");
  fputs(text, out);
  fclose(out);
  return path;
}

static void visit(const char* name) {
  pmID pmid;
  int sts = pmLookupName(1, &name, &pmid);
  printf("  %s %d %s\n", name, sts, pmIDStr(pmid));
}

static void look(void) {
  SHOW(pmGetPMNSLocation());
  SHOW(pmTraversePMNS("", visit));
}

static void try_to_load(const char* what, const char* text) {
  int sts;
  printf("--- %s\n", what);
  SHOW(sts = pmLoadNameSpace(file(text)));
  /* Where it fails the real library may have a part of the names. */
  if (sts >= 0) SHOW(pmGetPMNSLocation());
  pmUnloadNameSpace();
}

static void mistakes(void) {
  try_to_load("a good one", "root {\n  mine\n  one 29:0:1\n}\nmine {\n two 29:0:2\n}\n");
  try_to_load("nothing", "");
  try_to_load("without a root", "mine {\n one 29:0:1\n}\n");
  try_to_load("two roots", "root {\n one 29:0:1\n}\nroot {\n two 29:0:2\n}\n");
  try_to_load("an undefined part", "root {\n mine\n}\n");
  try_to_load("a part nobody names", "root {\n one 29:0:1\n}\nother {\n two 29:0:2\n}\n");
  try_to_load("a bad identifier", "root {\n one 29:0\n}\n");
  try_to_load("identifiers too large", "root {\n one 999:0:1\n}\n");
  try_to_load("a name twice", "root {\n one 29:0:1\n one 29:0:2\n}\n");
  try_to_load("no end", "root {\n one 29:0:1\n");
  try_to_load("two names of one metric", "root {\n one 29:0:1\n two 29:0:1\n}\n");
  try_to_load("a comment", "/* hello */\nroot {\n one 29:0:1\n}\n");
}

int main(int argc, char** argv) {
  const char* twice =
      "#define SAMPLE 29\n/* with a comment */\nroot {\n one SAMPLE:0:1\n"
      " two SAMPLE:0:1\n  mine\n}\nmine {\n a SAMPLE:0:6\n b 60:0:20\n}\n";
  if (argc < 2) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  setvbuf(stderr, NULL, _IONBF, 0);
  pmSetProgname(argv[0]);
  pmsprintf(path, sizeof path, "%s/own_names", argv[1]);
  mistakes();
  printf("--- through the preprocessor\n");
  SHOW(pmLoadASCIINameSpace(file(twice), 0));
  pmUnloadNameSpace();
  SHOW(pmLoadASCIINameSpace(file(twice), 1));
  look();
  SHOW(pmLoadASCIINameSpace(file(twice), 1));
  SHOW(pmLoadNameSpace(path));
  SHOW(pmTrimNameSpace());
  if (argc > 2) {
    SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, argv[2]));
    look();
    SHOW(pmTrimNameSpace());
    look();
    pmUnloadNameSpace();
    SHOW(pmGetPMNSLocation());
    SHOW(pmTrimNameSpace());
    SHOW(pmTraversePMNS("hinv", visit));
  }
  unlink(path);
  return 0;
}
