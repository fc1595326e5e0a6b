#include "promise.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct places g_places;
static int g_failed, g_checks;

void promise(const char* id, int holds, const char* condition, int line) {
  ++g_checks;
  if (holds) return;
  ++g_failed;
  printf("FAILED %s, line %d: %s\n", id, line, condition);
}

int is_real_library(void) { return getenv("LD_PRELOAD") != NULL; }

static int opened(int type, const char* name) {
  const int context = pmNewContext(type, name);
  if (context >= 0) return context;
  printf("FAILED no context %s: %s\n", name, pmErrStr(context));
  exit(2);
}
int open_archive(const char* name) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", g_places.archives, name);
  return opened(PM_CONTEXT_ARCHIVE, path);
}
int open_host(void) { return opened(PM_CONTEXT_HOST, g_places.host); }

pmID id_of(const char* name) {
  pmID pmid = PM_ID_NULL;
  const int sts = pmLookupName(1, &name, &pmid);
  if (sts == 1) return pmid;
  printf("FAILED no metric %s: %s\n", name, pmErrStr(sts));
  exit(2);
}

int lies_in(const void* block, const char* text) {
  const char* const begin = block;
  const char* const end = begin + malloc_usable_size((void*)block);
  return text > begin && text + strlen(text) < end;
}

const char* path_of(const char* name) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", g_places.folder, name);
  return strdup(path);
}

const char* write_file(const char* name, const char* text) {
  const char* const path = path_of(name);
  FILE* const file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) exit(2);
  return path;
}

char* text_of(const char* path) {
  char* const out = calloc(1, 100000);
  FILE* const file = fopen(path, "r");
  if (file == NULL) return out;
  const size_t bytes = fread(out, 1, 99999, file);
  out[bytes] = '\0';
  fclose(file);
  return out;
}

char* said_by(void (*function)(void)) {
  const char* const path = path_of("said");
  const int saved = dup(2), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  fflush(stderr);
  dup2(file, 2);
  function();
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  close(file);
  return text_of(path);
}

int grows(void (*function)(void)) {
  enum { kRounds = 300, kBytes = 2000 };
  size_t before = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (round == kRounds / 2) before = mallinfo2().uordblks;
    function();
  }
  return mallinfo2().uordblks > before + kBytes;
}

/* Its checks and failures. */
static void run_part(const struct part* part, int sum[2]) {
  int ends[2], counts[2] = {0, 1}, status = 0;
  fflush(stdout);
  if (pipe(ends) != 0) exit(2);
  const pid_t child = fork();
  if (child == 0) {
    part->run();
    fflush(stdout);
    counts[0] = g_checks, counts[1] = g_failed;
    _exit(write(ends[1], counts, sizeof counts) != sizeof counts);
  }
  close(ends[1]);
  if (read(ends[0], counts, sizeof counts) != sizeof counts) counts[0] = 0, counts[1] = 1;
  close(ends[0]);
  waitpid(child, &status, 0);
  if (status != 0) printf("FAILED %s ends with %x\n", part->name, (unsigned)status);
  sum[0] += counts[0];
  sum[1] += counts[1] + (status != 0);
}

int keep_promises(int argc, char** argv, const struct part* parts, size_t count) {
  int sum[2] = {0, 0};
  if (argc < 5) return 2;
  signal(SIGPIPE, SIG_IGN);
  g_places = (struct places){argv[1], argv[2], argv[3], argv[4]};
  pmSetProgname(argv[0]);
  for (size_t i = 0; i < count; ++i) {
    int wanted = argc == 5;
    for (int k = 5; k < argc; ++k) wanted |= strcmp(argv[k], parts[i].name) == 0;
    if (wanted) run_part(&parts[i], sum);
  }
  printf("%d checks, %d failed\n", sum[0], sum[1]);
  return sum[1] != 0 || sum[0] == 0;
}
