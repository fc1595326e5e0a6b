/* The library at run time: by its name, with functions by theirs. Nothing is linked with it. */
#include <dlfcn.h>
#include <pcp/pmapi.h>
#include <stdio.h>

static void* library;

static void* function(const char* name) {
  void* found = dlsym(library, name);
  if (!found) printf("%s is missing: %s\n", name, dlerror());
  return found;
}

int main(int argc, char** argv) {
  const char* (*error_text)(int);
  int (*new_context)(int, const char*);
  int (*lookup)(int, const char**, pmID*);
  int (*fetch)(int, pmID*, pmResult**);
  void (*release)(pmResult*);
  int (*version)(void);
  pmdebugoptions_t* flags;
  int i, sts;
  library = dlopen("libpcp.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("%s\n", dlerror());
    return 1;
  }
  *(void**)&error_text = function("pmErrStr");
  *(void**)&new_context = function("pmNewContext");
  *(void**)&lookup = function("pmLookupName");
  *(void**)&fetch = function("pmFetch");
  *(void**)&release = function("pmFreeResult");
  *(void**)&version = function("pmGetVersion");
  flags = function("pmDebugOptions");
  printf("%x %d\n", (unsigned)version(), flags->pdu);
  if (argc < 3) return 1;
  if ((sts = new_context(PM_CONTEXT_ARCHIVE, argv[1])) < 0) {
    printf("%s\n", error_text(sts));
    return 1;
  }
  for (i = 2; i < argc; ++i) {
    const char* name = argv[i];
    pmID pmid;
    pmResult* result;
    if ((sts = lookup(1, &name, &pmid)) < 0 || (sts = fetch(1, &pmid, &result)) < 0) {
      printf("%s: %s\n", name, error_text(sts));
      continue;
    }
    printf("%s: %d values at %ld\n", name, result->vset[0]->numval, (long)result->timestamp.tv_sec);
    release(result);
  }
  /* Our threads and buffers go with it. */
  printf("%d\n", dlclose(library));
  library = dlopen("libpcp.so.3", RTLD_LAZY | RTLD_GLOBAL);
  printf("%d\n", library != NULL);
  return 0;
}
