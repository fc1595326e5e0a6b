// Random intervals, windows and times, judged by the real library.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>

#include "runtime/text/interval.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"
#include "tests/unit/model/oracle_library.h"

namespace pmjit::oracle {
namespace {

struct CTime {  // timeval or timespec
  int64_t sec = 0, part = 0;
};
constexpr std::string_view kZones[] = {
    "UTC",      "EST5EDT",          ":Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu",
    "XYZ+5:30", "America/St_Johns", "abc def"};
constexpr std::string_view kNumbers[] = {"0",  "1",   "2",    "7",    "12",  "30", "59",  "90",
                                         ".5", "1.5", "0.25", "1200", "1e3", "5.", "0x1f"};
constexpr std::string_view kUnits[] = {
    "",      "s",     "sec",  "secs", "m",    "min",       "minutes", "h",  "hours",
    "day",   "d",     "hr",   "msec", "usec", "nsec",      "ms",      "us", "week",
    "weeks", "month", "year", "Hour", "days", "fortnight", "x"};
constexpr std::string_view kWords[] = {
    "jan",       "Mar",      "march 15",  "sept 4",       "Dec 31,",  "mon",        "friday",
    "sun,",      "tomorrow", "yesterday", "today",        "now",      "this",       "last",
    "next",      "third",    "ago",       "am",           "pm",       "p.m.",       "est",
    "gmt",       "z",        "x",         "pdt",          "cet",      "dst",        "(x)",
    "2024",      "24",       "3/15",      "3/15/24",      "2024/7/4", "2024-03-31", "20240310",
    "15-mar-24", "12:00",    "9:",        "23:59:59.999", "2:30",     "1:15:07.5",  "+0530",
    "-0800",     "noon",     "1200",      "16",           "31"};
constexpr std::string_view kSigns[] = {"", "", "", "@", "@", "@ ", "+", "-", "- "};
constexpr std::string_view kBlanks[] = {"", " ", " ", " ", "  ", "\t"};

class TimeOracle : public OracleTest {
 protected:
  // Digits do not run together: the library walks through billions of years one by one.
  static void put(std::string& out, std::string_view part) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (!out.empty() && !part.empty() && digit(out.back()) && digit(part.front())) out += ' ';
    out += part;
  }
  void put_amount(std::string& out) {
    put(out, one_of(kNumbers));
    put(out, one_of(kBlanks));
    put(out, one_of(kUnits));
  }
  std::string interval() {
    std::string out;
    for (auto left = between(1, 3); left > 0; --left) {
      put_amount(out);
      put(out, one_of(kBlanks));
    }
    return out;
  }
  std::string time() {
    std::string out(one_of(kSigns));
    if (once_in(3)) return out + interval();
    for (auto left = between(1, 4); left > 0; --left) {
      once_in(4) ? put_amount(out) : put(out, one_of(kWords));
      put(out, one_of(kBlanks));
    }
    return out;
  }
  std::optional<std::string> maybe(bool given, std::string text) {
    return given ? std::optional(std::move(text)) : std::nullopt;
  }
};

// The library aligns in 64 bits of nanoseconds, which end in the year 2262.
constexpr int64_t kAlignedMax = INT64_MAX / 1'000'000'000;

// Not time(), which is a few milliseconds late.
int64_t wall_clock() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

std::string shown(int status, CTime start, CTime end, CTime origin, const char* message) {
  const std::string text = message != nullptr && status < 1 ? message : "";
  if (status < 0) return fmt::format("{} {}", status, text);
  return fmt::format("{} {}.{:09} {}.{:09} {}.{:09} {}", status, start.sec, start.part, end.sec,
                     end.part, origin.sec, origin.part, text);
}

CTime c_time(Stamp s) { return {s.sec, s.nsec}; }

TEST_F(TimeOracle, Intervals) {
  auto* nano = function<int(const char*, CTime*, char**)>("pmParseHighResInterval");
  auto* micro = function<int(const char*, CTime*, char**)>("pmParseInterval");
  for (int i = 0; i < kRounds; ++i) {
    const std::string text = interval();
    CTime n, m;
    char* message = nullptr;
    const int status = nano(text.c_str(), &n, &message);
    const auto ours = parse_interval<NanoTime>(text);
    ASSERT_EQ(ours.has_value(), status == 0) << text;
    if (status < 0) {
      EXPECT_EQ(ours.error().what(), message) << text;
      std::free(message);
      continue;
    }
    ASSERT_EQ(micro(text.c_str(), &m, &message), 0);
    EXPECT_EQ(*ours, (NanoTime{n.sec, n.part})) << text;
    EXPECT_EQ(*parse_interval<MicroTime>(text), (MicroTime{m.sec, m.part})) << text;
  }
}

TEST_F(TimeOracle, Windows) {
  auto* new_zone = function<int(const char*)>("pmNewZone");
  auto* parse =
      function<int(const char*, const char*, const char*, const char*, const CTime*, const CTime*,
                   CTime*, CTime*, CTime*, char**)>("pmParseHighResTimeWindow");
  const auto c_text = [](const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
  };
  for (int i = 0, kept = 0; i < kRounds; ++i, --kept) {
    static std::string zone_name;
    if (kept == 0) {
      zone_name = one_of(kZones), kept = 500;
      ASSERT_GE(new_zone(zone_name.c_str()), 0);
    }
    const auto S = maybe(!once_in(3), time()), T = maybe(!once_in(3), time()),
               A = maybe(once_in(4), interval()), O = maybe(once_in(3), time());
    const Stamp start{between(0, 2'000'000'000), static_cast<int32_t>(between(0, 999'999'999))};
    const Stamp end = once_in(4) ? kStampMax : Stamp{start.sec + between(1, 10'000'000), 0};
    const CTime log_start = c_time(start), log_end = c_time(end);
    Zone zone(zone_name);
    std::string theirs, ours;
    bool beyond = false;
    // The wall clock counts: once more, where a second went by in between.
    for (int64_t now = 0; now != wall_clock();) {
      now = wall_clock();
      CTime s, t, o;
      char* message = nullptr;
      const int status = parse(c_text(S), c_text(T), c_text(A), c_text(O), &log_start, &log_end, &s,
                               &t, &o, &message);
      theirs = shown(status, s, t, o, message);
      if (status < 1) std::free(message);
      const auto window = parse_window({.start = S, .finish = T, .align = A, .origin = O},
                                       {.start = start, .end = end, .now = now}, zone);
      beyond = A && window &&
               std::max({s.sec, o.sec, window->start.sec, window->origin.sec}) > kAlignedMax;
      ours = window ? shown(window->aligned ? 1 : 0, c_time(window->start), c_time(window->end),
                            c_time(window->origin), window->warning.c_str())
                    : shown(-1, {}, {}, {}, window.error().what().c_str());
    }
    if (beyond) continue;
    ASSERT_EQ(ours, theirs) << "-S " << S.value_or("none") << "\n-T " << T.value_or("none")
                            << "\n-A " << A.value_or("none") << "\n-O " << O.value_or("none")
                            << "\nfrom " << start.sec << "." << start.nsec << " to " << end.sec
                            << " in " << zone_name;
  }
}

TEST_F(TimeOracle, Clocks) {
  auto* new_zone = function<int(const char*)>("pmNewZone");
  auto* ctime = function<char*(const int64_t*, char*)>("pmCtime");
  for (const std::string_view name : kZones) {
    Zone zone(name);
    ASSERT_GE(new_zone(std::string(name).c_str()), 0);
    for (int i = 0; i < kRounds / 10; ++i) {
      const int64_t sec = between(-4'000'000'000, 8'000'000'000);
      char text[64];
      ASSERT_EQ(pm_ctime(sec, zone), ctime(&sec, text)) << name << " " << sec;
    }
  }
}

}  // namespace
}  // namespace pmjit::oracle
