/* What calls of the PMAPI cost, on whichever libpcp.so.3 this runs: tests/shown/client_cost
 * compares two.
 *
 *   client_cost contexts archive|host NAME COUNT     pmNewContext and pmDestroyContext
 *   client_cost fetch SPEC METRIC COUNT              pmFetch and pmFreeResult
 *
 * One line: microseconds of processor and of the clock for each, then for contexts the growth in
 * kilobytes and in descriptors since a fifth of them, for fetches the values of one.
 */
#include <dirent.h>
#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void stop(const char* what, int code) {
  fprintf(stderr, "client_cost: %s: %s\n", what, pmErrStr(code));
  exit(1);
}

static double processor_us(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static double clock_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static long resident_kb(void) {
  long whole = 0, resident = 0;
  FILE* in = fopen("/proc/self/statm", "r");
  if (in == NULL || fscanf(in, "%ld %ld", &whole, &resident) != 2) resident = 0;
  if (in != NULL) fclose(in);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int descriptors(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return 0;
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

static void measure_contexts(int type, const char* name, int count) {
  double processor = 0, clock = 0;
  long kb = 0;
  int fds = 0, i;
  for (i = 0; i < count; ++i) {
    int context;
    if (i == count / 5) {
      kb = resident_kb();
      fds = descriptors();
      processor = processor_us();
      clock = clock_us();
    }
    if ((context = pmNewContext(type, name)) < 0) stop("pmNewContext", context);
    pmDestroyContext(context);
  }
  count -= count / 5;
  processor = (processor_us() - processor) / count;
  clock = (clock_us() - clock) / count;
  printf("%.2f %.2f %ld %d\n", processor, clock, resident_kb() - kb, descriptors() - fds);
}

static void measure_fetches(const char* spec, const char* metric, int count) {
  double processor = 0, clock = 0;
  pmID pmid;
  int code, i, warm = count / 5, values = 0;
  if ((code = pmNewContext(PM_CONTEXT_HOST, spec)) < 0) stop("pmNewContext", code);
  if ((code = pmLookupName(1, &metric, &pmid)) < 0) stop(metric, code);
  for (i = -warm; i < count; ++i) {
    pmResult* result;
    if (i == 0) {
      processor = processor_us();
      clock = clock_us();
    }
    if ((code = pmFetch(1, &pmid, &result)) < 0) stop("pmFetch", code);
    values = result->vset[0]->numval;
    pmFreeResult(result);
  }
  printf("%.2f %.2f %d\n", (processor_us() - processor) / count, (clock_us() - clock) / count,
         values);
}

int main(int argc, char** argv) {
  pmSetProgname(argv[0]);
  if (argc == 5 && strcmp(argv[1], "contexts") == 0) {
    measure_contexts(strcmp(argv[2], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[3],
                     atoi(argv[4]));
  } else if (argc == 5 && strcmp(argv[1], "fetch") == 0) {
    measure_fetches(argv[2], argv[3], atoi(argv[4]));
  } else {
    return 2;
  }
  return 0;
}
