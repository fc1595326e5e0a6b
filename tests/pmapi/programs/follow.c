/* An archive that is still written: the program itself brings the rest of it while a context is
 * open.
 *
 *   follow SOURCE FOLDER DATA META METRIC…
 *
 * At first there are DATA records of values and META of metadata; then all of the others. */
#include "program.h"

static char from[400], to[400];
static pmID pmids[10];
static int count;

static void path(char* out, const char* base, const char* suffix) {
  pmsprintf(out, 400, "%s%s", base, suffix);
}

/* Records from `first` on, at most `most`; the label is the one with number 0. */
static void bring(const char* suffix, int first, int most) {
  char in_path[400], out_path[400];
  unsigned char head[4], *record;
  FILE *in, *out;
  int number;
  path(in_path, from, suffix);
  path(out_path, to, suffix);
  in = fopen(in_path, "r");
  out = fopen(out_path, first ? "a" : "w");
  if (!in || !out) exit(1);
  for (number = 0; number < first + most && fread(head, 1, 4, in) == 4; ++number) {
    size_t size = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    record = malloc(size);
    memcpy(record, head, 4);
    if (fread(record + 4, 1, size - 4, in) != size - 4) break;
    if (number >= first) fwrite(record, 1, size, out);
    free(record);
  }
  fclose(in);
  fclose(out);
}

static void index_file(long bytes) {
  char in_path[400], out_path[400];
  FILE *in, *out;
  int c;
  path(in_path, from, ".index");
  path(out_path, to, ".index");
  in = fopen(in_path, "r");
  out = fopen(out_path, "w");
  if (!in || !out) exit(1);
  while (bytes-- != 0 && (c = getc(in)) != EOF) putc(c, out);
  fclose(in);
  fclose(out);
}

static void look(char** names) {
  struct timeval end;
  int i, sts;
  SHOW(pmGetArchiveEnd(&end));
  printf("end %ld.%06ld\n", (long)end.tv_sec, (long)end.tv_usec);
  for (i = 0; i < count; ++i) {
    pmDesc desc;
    int *ids, n;
    char** instances;
    sts = pmLookupName(1, (const char**)&names[i], &pmids[i]);
    printf("%s %d %s\n", names[i], sts, pmIDStr(pmids[i]));
    if ((sts = pmLookupDesc(pmids[i], &desc)) < 0) {
      printf("  %s\n", pmErrStr(sts));
      continue;
    }
    if (desc.indom == PM_INDOM_NULL) continue;
    n = pmGetInDom(desc.indom, &ids, &instances);
    printf("  now %d", n);
    if (n > 0) free(ids), free(instances);
    n = pmGetInDomArchive(desc.indom, &ids, &instances);
    printf(", ever %d\n", n);
    if (n > 0) free(ids), free(instances);
  }
}

static void read_on(const char* what, int as_records) {
  pmResult* result;
  int sts, records = 0, values = 0, i;
  double last = 0;
  for (;;) {
    sts = as_records ? pmFetchArchive(&result) : pmFetch(count, pmids, &result);
    if (sts < 0) break;
    ++records;
    for (i = 0; i < result->numpmid; ++i)
      if (result->vset[i]->numval > 0) values += result->vset[i]->numval;
    last = pmtimevalToReal(&result->timestamp);
    pmFreeResult(result);
  }
  printf("%s: %d records, %d values, last %.6f, %s\n", what, records, values, last, pmErrStr(sts));
}

static void interpolate(void) {
  struct timeval end;
  pmGetArchiveEnd(&end);
  SHOW(pmSetMode(PM_MODE_INTERP, &end, -1000));
  SHOW(pmSetMode(PM_MODE_INTERP, NULL, 1000));
  read_on("interpolated", 0);
}

int main(int argc, char** argv) {
  int data, meta, first, second;
  if (argc < 6) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  pmstrncpy(from, sizeof from, argv[1]);
  pmsprintf(to, sizeof to, "%s/follow", argv[2]);
  data = atoi(argv[3]) + 1;
  meta = atoi(argv[4]) + 1;
  count = argc - 5 > 10 ? 10 : argc - 5;
  bring(".0", 0, data);
  bring(".meta", 0, meta);
  index_file(132 + 20);
  SHOW(first = pmNewContext(PM_CONTEXT_ARCHIVE, to));
  look(argv + 5);
  read_on("first", 0);
  bring(".0", data, 100000);
  bring(".meta", meta, 100000);
  look(argv + 5);
  read_on("then", 0);
  interpolate();
  SHOW(second = pmDupContext());
  look(argv + 5);
  SHOW(pmUseContext(first));
  SHOW(pmReconnectContext(first));
  look(argv + 5);
  SHOW(pmDestroyContext(first));
  SHOW(pmDestroyContext(second));
  index_file(-1);
  SHOW(pmNewContext(PM_CONTEXT_ARCHIVE, to));
  look(argv + 5);
  read_on("a new context", 0);
  interpolate();
  SHOW(pmSetMode(PM_MODE_FORW, &(struct timeval){0, 0}, 0));
  read_on("its records", 1);
  path(from, to, ".0"), unlink(from);
  path(from, to, ".meta"), unlink(from);
  path(from, to, ".index"), unlink(from);
  return 0;
}
