// A heap for programs that read memory which is not theirs: what was never written, lies behind a
// block or has been given back is filled with one byte, that of $HEAP_FILL. Preloaded into a
// program it shows what depends on such memory: the output changes with the byte. Cleared memory
// is cleared as far as the C library clears it, to the end of the smallest block that would do.
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t size);
extern void __libc_free(void* block);

enum { kBehind = 128, kKept = 1 << 16 };

// Blocks that were given back, so that nobody else writes them for a long time.
static void* kept[kKept];
static unsigned next_kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int fill_byte(void) {
  const char* given = getenv("HEAP_FILL");
  return given ? atoi(given) & 255 : 0;
}

static size_t cleared_bytes(size_t size) {
  const size_t block = (size + sizeof(size_t) + 15) & ~(size_t)15;
  return (block < 32 ? 32 : block) - sizeof(size_t);
}

void* malloc(size_t size) {
  if (size + kBehind < size) return NULL;
  void* block = __libc_malloc(size + kBehind);
  if (block) memset(block, fill_byte(), malloc_usable_size(block));
  return block;
}

void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void* block = malloc(bytes);
  if (block) memset(block, 0, cleared_bytes(bytes));
  return block;
}

void free(void* block) {
  if (!block) return;
  memset(block, fill_byte(), malloc_usable_size(block));
  pthread_mutex_lock(&lock);
  void* oldest = kept[next_kept];
  kept[next_kept] = block;
  next_kept = (next_kept + 1) % kKept;
  pthread_mutex_unlock(&lock);
  __libc_free(oldest);
}

void* realloc(void* block, size_t size) {
  void* larger = malloc(size);
  if (!larger || !block) return larger;
  const size_t had = malloc_usable_size(block);
  memcpy(larger, block, had < size ? had : size);
  free(block);
  return larger;
}
