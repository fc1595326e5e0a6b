/* Promises of the acceptance list, each with its identifier there: what a call must return, give
 * and leave alone. The program runs on PCP's library, too, so a promise that PCP does not keep
 * fails.
 *
 *   PROMISE("pmapi.names.pmGetChildren.leaf", pmGetChildren("me.a", &list) == 0 && list == NULL);
 *
 * A part is a function; each runs in a process of its own (promise.c). */
#ifndef PMJIT_TESTS_PMAPI_PROMISE_H
#define PMJIT_TESTS_PMAPI_PROMISE_H

#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where things are, as the program's arguments say. */
struct places {
  const char* archives; /* tests/golden/archives */
  const char* host;     /* of pmcd with the agents simple and trivial: HOST:PORT */
  const char* socket;   /* the same one's */
  const char* folder;   /* may be written to */
};
extern struct places g_places;

void promise(const char* id, int holds, const char* condition, int line);
#define PROMISE(id, condition) promise(id, (condition) != 0, #condition, __LINE__)
/* What PCP 6.0.3 does not keep; the reason stands beside it. */
#define PROMISE_OF_OURS(id, condition)              \
  do {                                              \
    if (!is_real_library()) PROMISE(id, condition); \
  } while (0)
int is_real_library(void);

/* A context of one of the archives, or of the host; the process ends where there is none. */
int open_archive(const char* name);
int open_host(void);
/* The number of a metric of the current context. */
pmID id_of(const char* name);
/* Does the text lie in the block of malloc's that begins at `block`? */
int lies_in(const void* block, const char* text);
/* A file below the folder: its path, which stays. */
const char* path_of(const char* name);
const char* write_file(const char* name, const char* text);
/* What a file has; the caller's to free. */
char* text_of(const char* path);
/* What is written to standard error while the function runs; the caller's to free. */
char* said_by(void (*function)(void));
/* Memory in use: what does not grow over many rounds of the function. */
int grows(void (*function)(void));

struct part {
  const char* name;
  void (*run)(void);
};
/* Runs the parts; of arguments `ARCHIVES HOST SOCKET FOLDER [PART…]`. */
int keep_promises(int argc, char** argv, const struct part* parts, size_t count);

#endif
