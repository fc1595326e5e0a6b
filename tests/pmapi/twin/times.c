/* Calls about times: intervals, windows, zones, arithmetic. */
#include "twin.h"

static void say_timeval(const struct timeval* time) {
  say(" %lld.%06ld", (long long)time->tv_sec, (long)time->tv_usec);
}
static void say_timespec(const struct timespec* time) {
  say(" %lld.%09ld", (long long)time->tv_sec, time->tv_nsec);
}

static void call_interval(void) {
  static const char* const parts[] = {"1",     "2.5", "min", "sec",    "s",    " ",
                                      "hours", "10",  "ms",  "day",    "-",    "usec",
                                      "x",     "0",   "d",   "3weeks", "msec", "nsec"};
  char text[96] = "", *message = NULL;
  struct timeval out = {};
  struct timespec fine = {};
  int sts;
  for (unsigned i = pick(4) + 1; i-- > 0;) strcat(text, PICK_OF(parts));
  if (pick(2)) {
    sts = pmParseInterval(text, &out, &message);
    say(" %s: %d", text, sts);
    if (sts >= 0) say_timeval(&out);
  } else {
    sts = pmParseHighResInterval(text, &fine, &message);
    say(" fine %s: %d", text, sts);
    if (sts >= 0) say_timespec(&fine);
  }
  if (sts < 0) say_text(message), free(message);
}

static const char* pick_point(char* text) {
  static const char* const some[] = {"5min",
                                     "-10min",
                                     "@10:00",
                                     "@14:30:15.5",
                                     "30sec",
                                     "1.5hour",
                                     "@Mon 10:00",
                                     "@2018-04-15 13:30",
                                     "@ Apr 15 13:30:00 2018",
                                     "@13:20 UTC",
                                     "-0",
                                     "@",
                                     "bad",
                                     "+5",
                                     "@10pm",
                                     "100days"};
  strcpy(text, PICK_OF(some));
  return pick(3) ? text : NULL;
}
static void call_window(void) {
  char start[64], finish[64], align[64], origin[64], *message = NULL;
  const char *s = pick_point(start), *t = pick_point(finish), *o = pick_point(origin);
  const char* a = pick(4) ? NULL : pick(2) ? strcpy(align, "1hour") : strcpy(align, "7sec");
  const struct timespec first = {1523798178, 716165000}, last = {1523807178, 500};
  struct timespec out[3] = {};
  const int sts =
      pmParseHighResTimeWindow(s, t, a, o, &first, &last, &out[0], &out[1], &out[2], &message);
  say_text(s), say_text(t), say_text(a), say_text(o);
  say(": %d", sts);
  if (sts >= 0) say_timespec(&out[0]), say_timespec(&out[1]), say_timespec(&out[2]);
  if (sts < 1) say_text(message), free(message);
}

static void call_zone(void) {
  static const char* const zones[] = {
      "UTC", "EST5EDT", "CET-1CEST,M3.5.0,M10.5.0/3",   "Europe/Berlin",
      "XYZ", "",        "AEST-10AEDT,M10.1.0,M4.1.0/3", "JST-9"};
  char* name = NULL;
  int sts;
  if (pick(2)) {
    sts = pmNewZone(PICK_OF(zones));
    say(" new %d", sts >= 0); /* their number depends on what came before */
  } else {
    sts = pmUseZone((int)pick(6) - 1);
    say(" use %d", sts);
  }
  sts = pmWhichZone(&name);
  say(" which %d", sts);
  if (sts >= 0) say_text(name);
}
static void call_ctime(void) {
  char buffer[32];
  struct tm tm;
  const time_t when = (time_t)pick(2000000000);
  say(" %lld", (long long)when), say_text(pmCtime(&when, buffer));
  pmLocaltime(&when, &tm);
  say(" %d %d %d %d %d %d %d %d", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min,
      tm.tm_sec, tm.tm_wday, tm.tm_yday);
}
static void call_stamp(void) {
  const struct timeval time = {(time_t)pick(2000000000), (suseconds_t)pick(1000000)};
  const struct timespec fine = {time.tv_sec, (long)pick(1000000000)};
  FILE* file = begin_file();
  pmPrintStamp(file, &time);
  fputc(' ', file);
  pmPrintHighResStamp(file, &fine);
  say_file(file);
}
static void call_timeval(void) {
  struct timeval a = {(time_t)pick(1000), (suseconds_t)pick(1000000)};
  const struct timeval b = {(time_t)pick(1000), (suseconds_t)pick(1000000)};
  say(" %.17g %.17g %.17g", pmtimevalAdd(&a, &b), pmtimevalSub(&a, &b), pmtimevalToReal(&a));
  if (pick(2)) {
    pmtimevalInc(&a, &b);
  } else {
    pmtimevalDec(&a, &b);
  }
  say_timeval(&a);
  pmtimevalFromReal(pick(100000) / 7.0, &a);
  say_timeval(&a);
}
static void call_timespec(void) {
  struct timespec a = {(time_t)pick(1000), (long)pick(1000000000)};
  const struct timespec b = {(time_t)pick(1000), (long)pick(1000000000)};
  say(" %.17g %.17g %.17g", pmtimespecAdd(&a, &b), pmtimespecSub(&a, &b), pmtimespecToReal(&a));
  if (pick(2)) {
    pmtimespecInc(&a, &b);
  } else {
    pmtimespecDec(&a, &b);
  }
  say_timespec(&a);
  pmtimespecFromReal(pick(100000) / 7.0, &a);
  say_timespec(&a);
}

const struct call time_calls[] = {
    {"pmParseInterval", 4, call_interval}, {"pmParseHighResTimeWindow", 6, call_window},
    {"pmNewZone", 2, call_zone},           {"pmCtime", 3, call_ctime},
    {"pmPrintStamp", 2, call_stamp},       {"pmtimeval", 2, call_timeval},
    {"pmtimespec", 2, call_timespec},      {NULL, 0, NULL}};
