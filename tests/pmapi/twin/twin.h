/* What the calls of the twin program share: numbers from a seed, and what came back, as text.
 *
 * A call is made from the seed and its number alone, so any part of a sequence can be run.
 */
#ifndef PMJIT_TESTS_PMAPI_TWIN_H
#define PMJIT_TESTS_PMAPI_TWIN_H

#include <pcp/pmapi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From 0 to below count. */
unsigned pick(unsigned count);
uint64_t pick_bits(void);
int64_t pick_number(void); /* of a size that is random, too */
double pick_real(void);
#define PICK_OF(list) ((list)[pick(sizeof(list) / sizeof((list)[0]))])

/* Adds to what this call has brought. */
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
void say_text(const char* text); /* also NULL */
void say_bytes(const void* bytes, size_t count);
/* What a function writes to a file. */
FILE* begin_file(void);
void say_file(FILE* file);
/* What pmprintf() has collected: PCP_STDERR is a file of this process. */
void say_messages(void);
void say_result(const pmHighResResult* result, int is_fine);

struct known {
  const char* archives[8];
  int archive_count;
  char** names;
  int name_count;
  pmID pmids[4096]; /* of the names */
  pmInDom indoms[4096];
  int contexts[16]; /* handles, some gone */
  int context_count;
  pmResult* result; /* of the last fetch; NULL: there was none */
  const char* host; /* NULL: without live calls */
  int live_context;
  char* steady[512]; /* names of the host's whose values stand still */
  int steady_count;
  const char *messages, *names_file; /* files of this process */
};
extern struct known known;
void know_archives(int count, char** archives);
void know_host(const char* host);
const char* pick_name(void);     /* also of what there is not */
const char* pick_archived(void); /* a metric of some archive */
const char* pick_steady(void);
pmID pick_pmid(void);
pmInDom pick_indom(void);

struct call {
  const char* name;
  unsigned weight;
  void (*make)(void);
};
extern const struct call text_calls[], time_calls[], name_calls[], value_calls[], event_calls[],
    group_calls[], derived_calls[], space_calls[], program_calls[], label_calls[], wrong_calls[],
    live_calls[];

#endif
