/* Watches the calls of a program into libpcp.so.3, as an auditor of the dynamic linker: which
 * functions were called, from which threads, with what kinds of arguments, and what came back.
 *
 *   LD_AUDIT=libpmapi_watch.so WATCH_CALLS=FILE pmapi_misuse …
 *
 * FILE is one table of `struct entry`, sorted by name, that `called` prepares and reads; programs
 * only add bits, so many processes and threads share it, and what crashes leaves what it did.
 * Only calls of programs named pmapi_… count, and only those through their own linkage tables:
 * what the library calls itself, and drop-ins that a test starts, do not. What a register means
 * is for the reader of the table to know; here each is looked at in all ways. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAME = 48, SLOTS = 12, REGISTERS = 6, HANDLES = 1 << 16, GROUPS = 1 << 10 };

/* Of a call. */
enum {
  CALLED = 1,
  THREAD = 2,      /* not the first one */
  NONE = 4,        /* without a current context */
  GONE = 8,        /* another thread has destroyed the current context */
  MINUS = 16,      /* an int that came back is negative */
  PLUS = 32,       /* it is not */
  NOTHING = 64,    /* a pointer that came back is NULL */
  SOMETHING = 128, /* it is not */
  POINTERS = 256   /* no pointer is NULL */
};
/* Of an argument. */
enum {
  NULL_POINTER = 1,
  ZERO = 2,       /* its 32 bits */
  NEGATIVE = 4,   /* the same */
  ALL_ONES = 8,   /* the same: PM_ID_NULL, PM_INDOM_NULL */
  UNKNOWN = 16,   /* no handle of a context that was ever there */
  DESTROYED = 32, /* of one that is no more; of a fetch group, too */
  NOT_FINITE = 64 /* of floating point: the last slot */
};

struct entry {
  char name[NAME];
  uint32_t pointers; /* which slots are pointers: what `called` says */
  _Atomic uint32_t calls;
  _Atomic uint32_t call;
  _Atomic uint32_t slots[SLOTS + 1];
};

static struct entry* g_entries;
static size_t g_count;
static int (*g_which)(void);
static _Atomic int g_owner[HANDLES]; /* 0: never there, -1: there, else the thread that ended it */
static _Atomic uintptr_t g_groups[GROUPS]; /* of fetch groups that are no more */
static _Thread_local int g_current = -1;

static int thread_id(void) { return (int)syscall(SYS_gettid); }

static int is_watched(void) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  const char* const name = strrchr(path, '/');
  return name != NULL && strncmp(name + 1, "pmapi_", 6) == 0;
}

unsigned int la_version(unsigned int version) {
  const char* const path = getenv("WATCH_CALLS");
  if (path == NULL || !is_watched()) return 0;
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  struct stat state;
  if (fd < 0 || fstat(fd, &state) < 0) return 0;
  void* const table = mmap(NULL, (size_t)state.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (table == MAP_FAILED) return 0;
  g_entries = table;
  g_count = (size_t)state.st_size / sizeof(struct entry);
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static struct link_map* g_program; /* a handle for dlsym(), which a library of it is not */
unsigned int la_objopen(struct link_map* map, Lmid_t space, uintptr_t* cookie) {
  (void)space;
  (void)cookie;
  if (strstr(map->l_name, "/libpcp.so.3") != NULL) return LA_FLG_BINDTO;
  if (map->l_name[0] != '\0') return 0;
  g_program = map;
  return LA_FLG_BINDFROM;
}

static int compare(const void* name, const void* entry) {
  return strcmp(name, ((const struct entry*)entry)->name);
}
static struct entry* entry_of(const char* name) {
  return bsearch(name, g_entries, g_count, sizeof *g_entries, compare);
}

uintptr_t la_symbind64(Elf64_Sym* symbol, unsigned int index, uintptr_t* from, uintptr_t* to,
                       unsigned int* flags, const char* name) {
  (void)index;
  (void)from;
  (void)to;
  if (entry_of(name) == NULL) *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return symbol->st_value;
}

static int is_handle(int64_t number) { return number >= 0 && number < HANDLES; }

/* Which context is current, and whether another thread has ended it. */
static uint32_t context_bits(void) {
  if (g_which == NULL) g_which = (int (*)(void))dlsym(g_program, "pmWhichContext");
  const int now = g_which();
  if (is_handle(now)) {
    g_current = now;
    g_owner[now] = -1;
    return 0;
  }
  const int ended = g_current < 0 ? 0 : g_owner[g_current];
  return ended > 0 && ended != thread_id() ? NONE | GONE : NONE;
}

static int is_gone_group(uintptr_t group) {
  for (int i = 0; i < GROUPS && g_groups[i] != 0; ++i)
    if (g_groups[i] == group) return 1;
  return 0;
}
static void keep_group(uintptr_t group) {
  for (int i = 0; i < GROUPS; ++i) {
    uintptr_t none = 0;
    if (atomic_compare_exchange_strong(&g_groups[i], &none, group)) return;
  }
}

static uint32_t kinds_of(uintptr_t value) {
  const int32_t number = (int32_t)value;
  uint32_t out = value == 0 ? NULL_POINTER : 0;
  if (number == 0) out |= ZERO;
  if (number < 0) out |= NEGATIVE;
  if (number == -1) out |= ALL_ONES;
  if (is_handle(number) && g_owner[number] == 0) out |= UNKNOWN;
  if (is_handle(number) && g_owner[number] > 0) out |= DESTROYED;
  if (value != 0 && is_gone_group(value)) out |= DESTROYED;
  return out;
}

static uint32_t kinds_of_real(double value) {
  return (value == 0 ? ZERO : 0) | (value < 0 ? NEGATIVE : 0) | (isfinite(value) ? 0 : NOT_FINITE);
}

/* What ends a context or a group. */
static void keep_end(const char* name, uintptr_t first) {
  if (strcmp(name, "pmDestroyContext") == 0 && is_handle((int)first) && g_owner[(int)first] == -1)
    g_owner[(int)first] = thread_id();
  else if (strcmp(name, "pmDestroyFetchGroup") == 0 && first != 0)
    keep_group(first);
}

Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym* symbol, unsigned int index, uintptr_t* from,
                                  uintptr_t* to, La_x86_64_regs* regs, unsigned int* flags,
                                  const char* name, long* frame) {
  (void)index;
  (void)from;
  (void)to;
  (void)flags;
  struct entry* const entry = entry_of(name);
  const uintptr_t* const stack = (const uintptr_t*)regs->lr_rsp + 1; /* behind the return address */
  const uintptr_t values[SLOTS] = {regs->lr_rdi, regs->lr_rsi, regs->lr_rdx, regs->lr_rcx,
                                   regs->lr_r8,  regs->lr_r9,  stack[0],     stack[1],
                                   stack[2],     stack[3],     stack[4],     stack[5]};
  uint32_t call = CALLED | context_bits() | POINTERS;
  if (thread_id() != getpid()) call |= THREAD;
  for (int i = 0; i < SLOTS; ++i) {
    entry->slots[i] |= kinds_of(values[i]);
    if ((entry->pointers >> i & 1) != 0 && values[i] == 0) call &= ~(uint32_t)POINTERS;
  }
  double real;
  memcpy(&real, &regs->lr_xmm[0], sizeof real);
  entry->slots[SLOTS] |= kinds_of_real(real);
  entry->call |= call;
  ++entry->calls;
  keep_end(name, values[0]);
  *frame = (SLOTS - REGISTERS) * (long)sizeof(uintptr_t); /* so that its end is seen, too */
  return symbol->st_value;
}

unsigned int la_x86_64_gnu_pltexit(Elf64_Sym* symbol, unsigned int index, uintptr_t* from,
                                   uintptr_t* to, const La_x86_64_regs* in, La_x86_64_retval* out,
                                   const char* name) {
  (void)symbol;
  (void)index;
  (void)from;
  (void)to;
  (void)in;
  struct entry* const entry = entry_of(name);
  entry->call |= (int32_t)out->lrv_rax < 0 ? MINUS : PLUS;
  entry->call |= out->lrv_rax == 0 ? NOTHING : SOMETHING;
  (void)context_bits(); /* of one that has just come */
  return 0;
}
