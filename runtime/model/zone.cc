#include "runtime/model/zone.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>

namespace pmjit {

namespace {

constexpr int64_t kDay = 86'400, kQuarter = 900;  // zones change at quarters of an hour
// Years that an int holds, with a day to spare for the offset.
constexpr int64_t kSecMin = -67'768'040'609'000'000, kSecMax = 67'767'976'233'000'000;

std::mutex zone_lock;

// $TZ is `name` while this lives. Nobody else converts meanwhile.
class ZoneSet {
 public:
  explicit ZoneSet(const std::optional<std::string>& name) : held_(zone_lock), set_(name) {
    if (!set_) return;
    if (const char* before = std::getenv("TZ")) before_ = before;
    set(name);
  }
  ~ZoneSet() {
    if (set_) set(before_);
  }
  ZoneSet(const ZoneSet&) = delete;
  ZoneSet& operator=(const ZoneSet&) = delete;

 private:
  static void set(const std::optional<std::string>& name) {
    name ? setenv("TZ", name->c_str(), 1) : unsetenv("TZ");
    tzset();
  }
  std::lock_guard<std::mutex> held_;
  bool set_;
  std::optional<std::string> before_;
};

std::tm converted(int64_t sec) {
  std::tm tm{};
  localtime_r(&sec, &tm);
  return tm;
}

bool same_clock(const std::tm& a, const std::tm& b) {
  return a.tm_gmtoff == b.tm_gmtoff && a.tm_isdst == b.tm_isdst;
}

int64_t floor_to(int64_t sec, int64_t step) {
  const int64_t rest = sec % step;
  return sec - (rest < 0 ? rest + step : rest);
}

bool steady(int64_t from, int64_t length, const std::tm& clock) {
  for (int64_t at = from; at < from + length; at += kQuarter) {
    if (!same_clock(converted(at), clock)) return false;
  }
  return same_clock(converted(from + length - 1), clock);
}

constexpr size_t kNameLeast = 3;  // of a zone that says its own offset, as POSIX has it

bool says_its_offset(std::string_view name) {
  const bool quoted = name.starts_with('<');
  size_t at = quoted ? name.find('>') : 0;
  if (at == name.npos) return false;
  at += quoted;
  while (!quoted && at < name.size() && std::isalpha(static_cast<unsigned char>(name[at]))) ++at;
  if (at < kNameLeast) return false;
  if (at < name.size() && (name[at] == '+' || name[at] == '-')) ++at;
  return at < name.size() && std::isdigit(static_cast<unsigned char>(name[at]));
}

bool is_in_data_base(std::string_view name) {
  const char* folder = std::getenv("TZDIR");
  std::string path = folder ? folder : "/usr/share/zoneinfo";
  if (name.starts_with('/')) path.clear();
  path.append("/").append(name);
  return !name.empty() && access(path.c_str(), R_OK) == 0;
}

}  // namespace

// Three characters of any kind are a name without an offset to the reference, "EST" too: it is UTC.
Zone::Zone(std::string_view name) : name_(name) {
  if (name.size() == 3) *name_ += "+0";
}

const Zone::Stretch& Zone::around(int64_t sec) {
  if (sec >= stretch_.from && sec < stretch_.to) return stretch_;
  const ZoneSet set(name_);
  const std::tm clock = converted(sec);
  stretch_ = {.from = sec, .to = sec + 1, .east = clock.tm_gmtoff, .summer = clock.tm_isdst > 0};
  for (const int64_t length : {kDay, kQuarter}) {
    const int64_t from = floor_to(sec, length);
    if (!steady(from, length, clock)) continue;
    stretch_.from = from, stretch_.to = from + length;
    break;
  }
  return stretch_;
}

int64_t Zone::east(int64_t sec) { return around(std::clamp(sec, kSecMin, kSecMax)).east; }

std::tm Zone::local(int64_t sec) {
  sec = std::clamp(sec, kSecMin, kSecMax);
  const Stretch& stretch = around(sec);
  const int64_t shifted = sec + stretch.east;
  std::tm tm{};
  gmtime_r(&shifted, &tm);
  tm.tm_isdst = stretch.summer, tm.tm_gmtoff = stretch.east;
  tm.tm_zone = "";  // the name would be the C library's, which is gone with $TZ
  return tm;
}

Result<Zone> known_zone(std::string_view name) {
  constexpr std::string_view kHelp =
      "a zone is Europe/Berlin, UTC, or a name and how far it is behind UTC: CET-1, EST5EDT";
  if (name == "UTC" || name == "GMT") return Zone(name);
  std::string_view bare = name;
  if (bare.starts_with(':')) bare.remove_prefix(1);
  if (name.size() == 3 || !(says_its_offset(bare) || is_in_data_base(bare))) {
    return fail(Error(Fault::usage, "no such time zone: it would be UTC")
                    .help(std::string(kHelp))
                    .at("zone", name));
  }
  return Zone(name);
}

int64_t Zone::seconds_of(std::tm tm) const {
  const ZoneSet set(name_);
  return std::mktime(&tm);
}

}  // namespace pmjit
