/* hostload: a line every interval that says how busy a host is, live or over an archive.
 *
 *   hostload [-h HOST | -a ARCHIVE] [-t INTERVAL] [-s SAMPLES] …
 *
 * It shows the way that most clients of the PMAPI go, in this order: options, context, names and
 * descriptors, then fetches, whose values are extracted, scaled and compared with those before.
 * hostload.h is made of hostload.spec by pmgenmap. */
#include <pcp/pmapi.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hostload.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

enum { kMostCpus = 4096 };

static pmLongOptions longopts[] = {PMAPI_GENERAL_OPTIONS,
                                   PMAPI_OPTIONS_HEADER("Reporting options"),
                                   {"pause", 0, 'P', 0, "wait between lines of an archive, too"},
                                   PMAPI_OPTIONS_END};
static int pause_in_archives;
static pmOptions opts = {.flags = PM_OPTFLAG_STDOUT_TZ | PM_OPTFLAG_BOUNDARIES,
                         .short_options = PMAPI_OPTIONS "P",
                         .long_options = longopts,
                         .short_usage = "[options]"};

/* What a line needs of a fetch, so that the next one can be compared with it. */
struct sample {
  double at;          /* seconds */
  double load[2];     /* over 1 and 15 minutes; negative: unknown */
  double free_memory; /* Mbyte */
  double disk_operations;
  int cpus;
  int cpu[kMostCpus]; /* instance numbers, and seconds that each was busy */
  double busy[kMostCpus];
};

static void fail(const char* what, int sts) {
  fprintf(stderr, "%s: %s: %s\n", pmGetProgname(), what, pmErrStr(sts));
  exit(1);
}

/* Every name that is not there is told, not the first alone. */
static void look_up(int count, const char** names, pmID* pmids, pmDesc* descs) {
  const int found = pmLookupName(count, names, pmids);
  if (found < 0) fail("pmLookupName", found);
  for (int i = 0; i < count; ++i) {
    if (pmids[i] == PM_ID_NULL) {
      fprintf(stderr, "%s: there is no metric %s\n", pmGetProgname(), names[i]);
    }
  }
  if (found < count) exit(1);
  for (int i = 0; i < count; ++i) {
    const int sts = pmLookupDesc(pmids[i], &descs[i]);
    if (sts < 0) fail(names[i], sts);
  }
}

/* A value as a number in units of ours; 0 where it has none. */
static int number(const pmValueSet* set, int which, const pmDesc* desc, const pmUnits* units,
                  double* out) {
  pmAtomValue atom, scaled;
  if (pmExtractValue(set->valfmt, &set->vlist[which], desc->type, &atom, PM_TYPE_DOUBLE) < 0) {
    return 0;
  }
  if (units == NULL) {
    *out = atom.d;
    return 1;
  }
  if (pmConvScale(PM_TYPE_DOUBLE, &atom, &desc->units, &scaled, units) < 0) return 0;
  *out = scaled.d;
  return 1;
}

/* Instances are matched by their numbers: their order is the agent's. */
static double busy_of(const pmValueSet* set, int instance, const pmDesc* desc) {
  static const pmUnits seconds = {.dimTime = 1, .scaleTime = PM_TIME_SEC};
  double out = 0;
  for (int i = 0; i < set->numval; ++i) {
    if (set->vlist[i].inst == instance) number(set, i, desc, &seconds, &out);
  }
  return out;
}

static void read_load(const pmValueSet* set, const pmDesc* desc, double out[2]) {
  static int instances[2] = {-1, -1};
  if (instances[0] < 0) {
    instances[0] = pmLookupInDom(desc->indom, "1 minute");
    instances[1] = pmLookupInDom(desc->indom, "15 minute");
  }
  for (int k = 0; k < 2; ++k) {
    out[k] = -1;
    for (int i = 0; i < set->numval; ++i) {
      if (set->vlist[i].inst == instances[k]) number(set, i, desc, NULL, &out[k]);
    }
  }
}

/* Of two counters; negative where one is unknown. */
static double sum_of(const pmResult* result, const pmDesc* descs, int one, int other) {
  double a, b;
  if (result->vset[one]->numval < 1 || result->vset[other]->numval < 1) return -1;
  if (!number(result->vset[one], 0, &descs[one], NULL, &a)) return -1;
  return number(result->vset[other], 0, &descs[other], NULL, &b) ? a + b : -1;
}

static void read_sample(const pmResult* result, const pmDesc* descs, struct sample* out) {
  static const pmUnits mbyte = {.dimSpace = 1, .scaleSpace = PM_SPACE_MBYTE};
  const pmValueSet* user = result->vset[CPU_USER];
  const pmValueSet* system = result->vset[CPU_SYS];
  out->at = pmtimevalToReal(&result->timestamp);
  read_load(result->vset[LOAD], &descs[LOAD], out->load);
  out->free_memory = -1;
  if (result->vset[FREE_MEMORY]->numval > 0) {
    number(result->vset[FREE_MEMORY], 0, &descs[FREE_MEMORY], &mbyte, &out->free_memory);
  }
  out->disk_operations = sum_of(result, descs, DISK_READ, DISK_WRITE);
  out->cpus = 0;
  for (int i = 0; i < user->numval && i < kMostCpus; ++i) {
    const int cpu = user->vlist[i].inst;
    out->cpu[out->cpus] = cpu;
    out->busy[out->cpus++] =
        busy_of(user, cpu, &descs[CPU_USER]) + busy_of(system, cpu, &descs[CPU_SYS]);
  }
}

static void put(const char* format, int width, double value, int known) {
  if (known) {
    printf(format, width, value);
  } else {
    printf("%*s", width, "?");
  }
}

static void put_line(const struct sample* before, const struct sample* now) {
  char text[26];
  const time_t second = (time_t)now->at;
  const double seconds = now->at - before->at;
  double all = 0, most = -1;
  int busiest = -1;
  for (int i = 0; i < now->cpus; ++i) {
    for (int k = 0; k < before->cpus; ++k) {
      double used;
      if (before->cpu[k] != now->cpu[i]) continue;
      used = (now->busy[i] - before->busy[k]) / seconds;
      all += used;
      if (used > most) most = used, busiest = now->cpu[i];
    }
  }
  pmCtime(&second, text);
  printf("%.8s", text + 11); /* the time of day */
  put("%*.2f", 8, now->cpus > 0 ? all / now->cpus : 0, busiest >= 0);
  put("%*.0f", 6, busiest, busiest >= 0);
  put("%*.2f", 7, most, busiest >= 0);
  put("%*.1f", 11, now->free_memory, now->free_memory >= 0);
  put("%*.1f", 9, (now->disk_operations - before->disk_operations) / seconds,
      before->disk_operations >= 0 && now->disk_operations >= before->disk_operations);
  put("%*.2f", 8, now->load[0], now->load[0] >= 0);
  put("%*.2f", 8, now->load[1], now->load[1] >= 0);
  printf("\n");
  fflush(stdout);
}

static void put_head(int context) {
  const char** names = hostload_once;
  pmID pmids[COUNT(hostload_once)];
  pmDesc descs[COUNT(hostload_once)];
  pmResult* result;
  double cpus = 0;
  int sts;
  look_up(COUNT(hostload_once), names, pmids, descs);
  sts = pmFetch(COUNT(hostload_once), pmids, &result);
  if (sts >= 0) {
    if (result->vset[NCPU]->numval > 0) number(result->vset[NCPU], 0, &descs[NCPU], NULL, &cpus);
    pmFreeResult(result);
  }
  printf("host %s", pmGetContextHostName(context));
  if (cpus > 0) printf(", %.0f processors", cpus);
  printf("\n%8s%8s%6s%7s%11s%9s%8s%8s\n", "time", "busy", "cpu", "busiest", "free MiB", "disk/s",
         "1 min", "15 min");
}

static void take_options(int argc, char** argv) {
  int option;
  while ((option = pmGetOptions(argc, argv, &opts)) != EOF) {
    if (option == 'P') pause_in_archives = 1;
  }
  if (opts.errors || opts.flags & (PM_OPTFLAG_EXIT | PM_OPTFLAG_USAGE_ERR)) {
    pmUsageMessage(&opts);
    exit(opts.flags & PM_OPTFLAG_EXIT ? 0 : 1);
  }
  if (opts.interval.tv_sec == 0 && opts.interval.tv_usec == 0) opts.interval.tv_sec = 5;
}

static void rest(void) {
  struct timeval time = opts.interval; /* select() may change it */
  select(0, NULL, NULL, NULL, &time);
}

static int open_source(void) {
  const int archive = opts.context == PM_CONTEXT_ARCHIVE;
  const char* source = archive ? opts.archives[0] : opts.nhosts > 0 ? opts.hosts[0] : "local:";
  const int context = pmNewContext(archive ? PM_CONTEXT_ARCHIVE : PM_CONTEXT_HOST, source);
  if (context < 0) fail(source, context);
  if (pmGetContextOptions(context, &opts) < 0) {
    pmflush();
    exit(1);
  }
  return context;
}

int main(int argc, char** argv) {
  static struct sample samples[2];
  pmID pmids[COUNT(hostload_often)];
  pmDesc descs[COUNT(hostload_often)];
  int context, archive, known = 0, sts;
  pmSetProgname(argv[0]);
  take_options(argc, argv);
  context = open_source();
  archive = opts.context == PM_CONTEXT_ARCHIVE;
  put_head(context);
  look_up(COUNT(hostload_often), hostload_often, pmids, descs);
  if (archive) {
    const int step = (int)(opts.interval.tv_sec * 1000 + opts.interval.tv_usec / 1000);
    sts = pmSetMode(PM_MODE_INTERP, &opts.origin, step);
    if (sts < 0) fail("pmSetMode", sts);
  }
  for (int line = 0; opts.samples == 0 || line < opts.samples;) {
    struct sample *now = &samples[known & 1], *before = &samples[(known & 1) ^ 1];
    pmResult* result;
    if ((sts = pmFetch(COUNT(hostload_often), pmids, &result)) < 0) {
      if (archive && sts == PM_ERR_EOL) break;
      if (archive) fail("pmFetch", sts);
      /* The host is away: what was known of it does not count any more. */
      fprintf(stderr, "%s: pmFetch: %s\n", pmGetProgname(), pmErrStr(sts));
      known = 0;
    } else {
      read_sample(result, descs, now);
      pmFreeResult(result);
      if (archive && now->at > pmtimevalToReal(&opts.finish)) break;
      if (known++ > 0) put_line(before, now), ++line;
    }
    if (archive && !pause_in_archives) continue;
    if (opts.samples > 0 && line == opts.samples) break;
    rest();
    if (known == 0) pmReconnectContext(context);
  }
  pmDestroyContext(context);
  pmFreeOptions(&opts);
  return 0;
}
