/* A random sequence of calls of the PMAPI; what each brought as a number, into a file of 8 bytes a
 * call. tests/pmapi/twins runs it on two libraries.
 *
 *   twin FILE SEED CALLS ARCHIVE…       CALLS: 0-999,1003,1010-1020
 *
 * TWIN_HOST is a host to ask, too; without it calls of hosts do nothing. It has files of its own
 * where it runs. TWIN_SHOW=1 prints each call as text. TWIN_CANARY=1 makes one kind of call wrong
 * now and then.
 */
#define _GNU_SOURCE
#include "twin.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>

static uint64_t g_state;  /* of the numbers */
static uint64_t g_answer; /* what this call has brought */
static int g_show;

static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t pick_bits(void) { return g_state = mixed(g_state); }
unsigned pick(unsigned count) { return (unsigned)(pick_bits() >> 16) % count; }

int64_t pick_number(void) {
  const int64_t number = (int64_t)(pick_bits() >> pick(64));
  return pick(3) == 0 ? -number : number;
}
double pick_real(void) {
  static const double some[] = {0, -0.0, 1, 0.5, 1e-9, 1e15, 999.95, 1023.5, -1234.5, 4294967295.0};
  return pick(2) ? PICK_OF(some) : (double)pick_number() / (double)(1 + pick(1000));
}

void say_bytes(const void* bytes, size_t count) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i < count; ++i) g_answer = (g_answer ^ at[i]) * 0x100000001b3u;
}

void say(const char* format, ...) {
  char* text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) abort();
  va_end(arguments);
  say_bytes(text, strlen(text));
  if (g_show) fputs(text, stdout);
  free(text);
}
void say_text(const char* text) { say(" %s%s%s", text ? "\"" : "", text ? text : "NULL", "\""); }

static char* g_written;
static size_t g_written_bytes;
FILE* begin_file(void) { return open_memstream(&g_written, &g_written_bytes); }
void say_file(FILE* file) {
  fclose(file);
  say_text(g_written);
  free(g_written);
}

void say_messages(void) {
  char text[4096];
  size_t got;
  FILE* file;
  pmflush();
  file = fopen(known.messages, "r");
  if (file == NULL) return;
  got = fread(text, 1, sizeof text - 1, file);
  text[got] = '\0';
  fclose(file);
  unlink(known.messages);
  say_text(text);
}

void say_result(const pmHighResResult* result, int is_fine) {
  const pmResult* coarse = (const pmResult*)result;
  if (is_fine) {
    say(" %lld.%09ld", (long long)result->timestamp.tv_sec, result->timestamp.tv_nsec);
  } else {
    say(" %lld.%06ld", (long long)coarse->timestamp.tv_sec, (long)coarse->timestamp.tv_usec);
  }
  for (int i = 0; i < result->numpmid; ++i) {
    const pmValueSet* set = result->vset[i];
    say(" [%s %d", pmIDStr(set->pmid), set->numval);
    for (int k = 0; k < set->numval; ++k) {
      const pmValue* value = &set->vlist[k];
      say(" %d:", value->inst);
      if (set->valfmt == PM_VAL_INSITU) {
        say("%d", value->value.lval);
      } else {
        const pmValueBlock* block = value->value.pval;
        say("%d/%d/", block->vtype, block->vlen);
        for (int b = 0; b < (int)block->vlen - PM_VAL_HDR_SIZE; ++b) {
          say("%02x", (unsigned char)block->vbuf[b]);
        }
      }
    }
    say("]");
  }
}

static const struct call* const kinds[] = {text_calls,    time_calls,  name_calls,    value_calls,
                                           event_calls,   group_calls, derived_calls, space_calls,
                                           program_calls, label_calls, wrong_calls,   live_calls};

static const struct call* pick_call(void) {
  unsigned all = 0, which = 0;
  for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    for (const struct call* call = kinds[i]; call->name; ++call) all += call->weight;
  }
  which = pick(all);
  for (unsigned i = 0;; ++i) {
    for (const struct call* call = kinds[i]; call->name; ++call) {
      if (which < call->weight) return call;
      which -= call->weight;
    }
  }
}

static uint64_t make_call(uint64_t seed, long number, int canary) {
  const struct call* call;
  g_state = mixed(seed ^ mixed((uint64_t)number));
  g_answer = 0xcbf29ce484222325u;
  call = pick_call();
  if (g_show) printf("%ld %s", number, call->name);
  call->make();
  if (canary && strcmp(call->name, "pmUnitsStr") == 0 && pick(4) == 0) say(" canary");
  if (g_show) printf("\n");
  return g_answer | 1; /* 0: not called */
}

/* The calls of a list, each once; with `answers` NULL only the number behind the last. */
static long make_calls(const char* list, uint64_t seed, int canary, uint64_t* answers) {
  long most = 0;
  while (*list) {
    char* end;
    const long first = strtol(list, &end, 10);
    const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    if (last + 1 > most) most = last + 1;
    for (long i = first; answers && i <= last; ++i) answers[i] = make_call(seed, i, canary);
    list = *end == ',' ? end + 1 : end;
  }
  return most;
}

int main(int argc, char** argv) {
  uint64_t *answers, seed;
  size_t bytes;
  int fd;
  if (argc < 5) return 2;
  pmSetProgname("twin");
  g_show = getenv("TWIN_SHOW") != NULL;
  if (g_show) setvbuf(stdout, NULL, _IOLBF, 0);
  seed = strtoull(argv[2], NULL, 10);
  bytes = (size_t)make_calls(argv[3], seed, 0, NULL) * sizeof(*answers);
  fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0) return 2;
  answers = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (answers == MAP_FAILED) return 2;
  known.messages = "said";
  known.names_file = "names";
  setenv("PCP_STDERR", known.messages, 1);
  know_archives(argc - 4, argv + 4);
  if (getenv("TWIN_HOST")) know_host(getenv("TWIN_HOST"));
  make_calls(argv[3], seed, getenv("TWIN_CANARY") != NULL, answers);
  return 0;
}
