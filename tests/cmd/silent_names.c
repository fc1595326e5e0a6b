// Loaded before the C library: names that begin with "bad" have a name server that never answers,
// "goodhost" is this machine. All others are looked up as ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

typedef int LookUp(const char*, const char*, const struct addrinfo*, struct addrinfo**);

int getaddrinfo(const char* name, const char* service, const struct addrinfo* hints,
                struct addrinfo** found) {
  LookUp* const next = (LookUp*)dlsym(RTLD_NEXT, "getaddrinfo");
  const int asks = hints == NULL || (hints->ai_flags & AI_NUMERICHOST) == 0;
  while (asks && name != NULL && strncmp(name, "bad", 3) == 0) pause();
  const int good = asks && name != NULL && strcmp(name, "goodhost") == 0;
  return next(good ? "127.0.0.1" : name, service, hints, found);
}
