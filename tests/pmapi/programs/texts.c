/* Everything that has a name: identifiers, types, semantics, flags, errors, numbers, values. */
#include "program.h"

static void identifiers(void) {
  static const unsigned parts[] = {0, 1, 29, 510, 511, 512, 4095, 4096, 1u << 22};
  char text[20], small[5];
  size_t i, k;
  for (i = 0; i < 9; ++i) {
    for (k = 0; k < 9; ++k) {
      pmID pmid = pmID_build(parts[i], parts[k], parts[(i + k) % 9]);
      pmInDom indom = pmInDom_build(parts[i], parts[k]);
      printf("%s %u.%u.%u ", pmIDStr(pmid), pmID_domain(pmid), pmID_cluster(pmid), pmID_item(pmid));
      printf("%s %u.%u\n", pmInDomStr(indom), pmInDom_domain(indom), pmInDom_serial(indom));
      if (!pmIDStr_r(pmid, text, sizeof text) || !pmInDomStr_r(indom, text, sizeof text)) return;
    }
  }
  printf("%s %s\n", pmIDStr(PM_ID_NULL), pmInDomStr(PM_INDOM_NULL));
  printf("%d %d\n", pmIDStr_r(1, small, sizeof small) == NULL,
         pmInDomStr_r(1, small, sizeof small) == NULL);
}

static void kinds(void) {
  char text[20], small[3];
  int i;
  for (i = -3; i < 14; ++i) printf("%d %s %s\n", i, pmTypeStr(i), pmSemStr(i));
  printf("%s\n", pmTypeStr(PM_TYPE_UNKNOWN));
  printf("%s %s\n", pmTypeStr_r(PM_TYPE_AGGREGATE_STATIC, text, sizeof text),
         pmSemStr_r(PM_SEM_COUNTER, text, sizeof text));
  printf("%d %d\n", pmTypeStr_r(0, small, sizeof small) == NULL,
         pmSemStr_r(PM_SEM_COUNTER, small, sizeof small) == NULL);
  for (i = 0; i < 32; ++i) {
    char flags[64];
    printf("%s|%s|", pmEventFlagsStr(i), pmEventFlagsStr_r(i, flags, sizeof flags));
    printf("%s\n", pmEventFlagsStr((int)(PM_EVENT_FLAG_MISSED | (unsigned)i)));
  }
}

static void errors(void) {
  char text[PM_MAXERRMSGLEN], small[8];
  int i;
  for (i = -200; i <= 2; ++i) printf("%d %s\n", i, pmErrStr(i));
  for (i = -12450; i <= -12340; ++i) printf("%d %s\n", i, pmErrStr(i));
  for (i = -13400; i <= -13390; ++i) printf("%d %s\n", i, pmErrStr(i));
  for (i = -21346; i <= -21340; ++i) printf("%d %s\n", i, pmErrStr_r(i, text, sizeof text));
  printf("%s\n", pmErrStr_r(PM_ERR_NAME, small, sizeof small));
}

static void numbers(void) {
  double step, sign;
  char text[8];
  for (sign = -1; sign <= 1; sign += 2)
    for (step = 1e-4; step < 1e17; step *= 3.7)
      printf("<%s> %s\n", pmNumberStr(sign * step), pmNumberStr_r(sign * step, text, sizeof text));
  for (step = 999.99; step < 1000; step += 0.001) printf("<%s>\n", pmNumberStr(step));
  printf("<%s> <%s> <%s>\n", pmNumberStr(0), pmNumberStr(1.0 / 0.0), pmNumberStr(-1.0 / 0.0));
}

static void atoms(void) {
  char longer[100], small[6];
  pmAtomValue atom;
  int i;
  memset(longer, 'x', sizeof longer);
  longer[99] = '\0';
  for (i = PM_TYPE_32; i <= PM_TYPE_DOUBLE; ++i) {
    memset(&atom, 0, sizeof atom);
    atom.d = i >= PM_TYPE_DOUBLE ? -1.0 / 3 : 0;
    if (i < PM_TYPE_FLOAT) atom.ll = -3;
    if (i == PM_TYPE_FLOAT) atom.f = 1e10f;
    printf("%s %s\n", pmTypeStr(i), pmAtomStr(&atom, i));
    printf("%s\n", pmAtomStr_r(&atom, i, small, sizeof small) ? small : "NULL");
  }
  for (i = 30; i < 45; ++i) {
    longer[i] = '\0';
    atom.cp = longer;
    printf("%s\n", pmAtomStr(&atom, PM_TYPE_STRING));
    longer[i] = 'x';
  }
  atom.cp = NULL;
  printf("%s\n", pmAtomStr(&atom, PM_TYPE_STRING));
  printf("%s %s\n", pmAtomStr(&atom, PM_TYPE_NOSUPPORT), pmAtomStr(&atom, 77));
  printf("%s\n", pmAtomStr(&atom, PM_TYPE_UNKNOWN));
  for (i = 0; i < 20; ++i) {
    pmValueBlock* block = calloc(1, 64);
    block->vtype = PM_TYPE_AGGREGATE;
    block->vlen = (unsigned)(PM_VAL_HDR_SIZE + i) & 0xffffff;
    memset(block->vbuf, 0x41 + i, (size_t)i);
    atom.vbp = block;
    printf("%s\n", pmAtomStr(&atom, PM_TYPE_AGGREGATE));
    free(block);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  identifiers();
  kinds();
  errors();
  numbers();
  atoms();
  return 0;
}
