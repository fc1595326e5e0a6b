#include "runtime/text/zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/base/near.h"
#include "runtime/tz/rules.h"

namespace pmjit {

namespace {

std::string_view city(std::string_view name) { return name.substr(name.rfind('/') + 1); }

// Years that an int holds, with a day to spare for the offset.
constexpr int64_t kZoneSecMin = -67'768'040'609'000'000, kZoneSecMax = 67'767'976'233'000'000;

constexpr size_t kNameLeast = 3;  // of a zone that says its own offset, as POSIX has it

// Takes a name from the front of a zone: CET, <+05>. False: there is none.
bool take_zone_name(std::string_view& text) {
  const bool quoted = text.starts_with('<');
  const size_t begin = quoted ? 1 : 0;
  const auto* const last = std::ranges::find_if(text.substr(begin), [&](char c) {
    return quoted ? c == '>' : !std::isalpha(static_cast<unsigned char>(c));
  });
  const auto size = static_cast<size_t>(last - text.begin());
  if (size < begin + kNameLeast || (quoted && size == text.size())) return false;
  text.remove_prefix(size + begin);
  return true;
}

// Takes HH:MM:SS behind the name of a zone. The C library allows at most 24 hours, 59 minutes and
// 59 seconds. None: there is no number, and the C library uses UTC.
struct ZoneOffset {
  bool in_range = true;
};
std::optional<ZoneOffset> take_offset(std::string_view& text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  ZoneOffset out;
  for (const int most : {24, 59, 59}) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool digit = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
    if (!digit) return std::nullopt;
    out.in_range = out.in_range && error == std::errc() && number <= most;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (!text.starts_with(':')) break;
    text.remove_prefix(1);
  }
  return out;
}

// Of CET-1, or CET-1CEST,M3.5.0,M10.5.0. None: it is something else, or UTC to the C library.
std::optional<ZoneOffset> offset_said(std::string_view name) {
  if (!take_zone_name(name)) return std::nullopt;
  const auto out = take_offset(name);
  const bool ends =
      name.empty() || name.front() == '<' || std::isalpha(static_cast<unsigned char>(name.front()));
  return ends ? out : std::nullopt;
}

constexpr int64_t kDaySeconds = 86'400;
constexpr std::string_view kDayNames[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::string_view kMonthNames[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// By hand: tools print a time a record, and this is a quarter of the cost. At least `width` wide.
void put_number(std::string& out, int64_t number, size_t width) {
  if (number < 0) {
    fmt::format_to(std::back_inserter(out), "{:0{}}", number, width);
    return;
  }
  char digits[20];
  size_t at = sizeof digits;
  for (; number > 0 || sizeof digits - at < width; number /= 10)
    digits[--at] = static_cast<char>('0' + number % 10);
  out.append(digits + at, sizeof digits - at);
}

void put_fraction(std::string& out, int32_t nsec, Fraction fraction) {
  if (fraction == Fraction::none) return;
  out += '.';
  switch (fraction) {
    case Fraction::none: return;
    case Fraction::milli: put_number(out, nsec / 1'000'000, 3); return;
    case Fraction::micro: put_number(out, nsec / 1'000, 6); return;
    case Fraction::nano: put_number(out, nsec, 9); return;
  }
}

int64_t second_of_day(int64_t sec, const Zone& zone) {
  const int64_t rest = (sec % kDaySeconds + zone.east(sec)) % kDaySeconds;
  return rest < 0 ? rest + kDaySeconds : rest;
}

void put_date(std::string& out, const std::tm& tm) {
  fmt::format_to(std::back_inserter(out), "{} {} {:2} ", kDayNames[tm.tm_wday],
                 kMonthNames[tm.tm_mon], tm.tm_mday);
}

}  // namespace

Zone::Zone() : rules_(tz::load_rules(std::getenv("TZ"))) {}

// Three characters of any kind are a name without an offset to the reference, "EST" too: it is UTC.
Zone::Zone(std::string_view name) : name_(name) {
  if (name.size() == 3) *name_ += "+0";
  rules_ = tz::load_rules(name_->c_str());
}

int64_t Zone::east(int64_t sec) const {
  return rules_->at(std::clamp(sec, kZoneSecMin, kZoneSecMax)).east;
}

std::tm Zone::local(int64_t sec) const {
  std::tm tm{};
  (void)rules_->local(std::clamp(sec, kZoneSecMin, kZoneSecMax), tm);
  tm.tm_zone = "";  // no text of ours has it
  return tm;
}

const std::string& Zone::clock_name(int64_t sec) const {
  return rules_->name_at(std::clamp(sec, kZoneSecMin, kZoneSecMax));
}

int64_t Zone::seconds_of(const std::tm& tm, int64_t& guess) const {
  return tz::make_time(*rules_, tm, guess);
}

int64_t Zone::seconds_of(const std::tm& tm) const {
  int64_t guess = 0;
  return seconds_of(tm, guess);
}

bool is_zone_of_environment(std::string_view value) {
  if (value.starts_with(':')) value.remove_prefix(1);
  return value.empty() || value == "UTC" || value == "GMT" || offset_said(value) ||
         tz::is_in_data_base(value);
}

namespace {

// Abbreviations that are no names of zones, and where they are in use.
constexpr std::pair<std::string_view, std::string_view> kAbbreviations[] = {
    {"CEST", "Europe/Berlin"},  {"BST", "Europe/London"},       {"EEST", "Europe/Athens"},
    {"MSK", "Europe/Moscow"},   {"EDT", "America/New_York"},    {"CDT", "America/Chicago"},
    {"MDT", "America/Denver"},  {"PST", "America/Los_Angeles"}, {"PDT", "America/Los_Angeles"},
    {"CST", "America/Chicago"}, {"IST", "Asia/Kolkata"},        {"JST", "Asia/Tokyo"},
    {"KST", "Asia/Seoul"},      {"AEST", "Australia/Sydney"},   {"AEDT", "Australia/Sydney"}};

// +02:00, UTC+2, GMT-05:30: what is east of UTC has a minus sign in the name of a zone.
std::optional<std::string> zone_of_offset(std::string_view wrong) {
  if (wrong.starts_with("UTC") || wrong.starts_with("GMT")) wrong.remove_prefix(3);
  if (wrong.size() < 2 || (wrong[0] != '+' && wrong[0] != '-')) return std::nullopt;
  const std::string_view digits = wrong.substr(1);
  if (digits.find_first_not_of("0123456789:") != digits.npos) return std::nullopt;
  const size_t hours = std::min(digits.find(':'), std::min<size_t>(digits.size(), 2));
  std::string_view rest = digits.substr(hours);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  const std::string_view hour = digits.substr(0, hours);
  const bool whole = rest.find_first_not_of('0') == rest.npos;
  return fmt::format("UTC{}{}{}{}", wrong[0] == '+' ? '-' : '+',
                     hour.substr(std::min(hour.find_first_not_of('0'), hour.size() - 1)),
                     whole ? "" : ":", whole ? "" : rest);
}

}  // namespace

std::optional<std::string> nearest_zone(std::string_view wrong) {
  const auto* const known = std::ranges::find(
      kAbbreviations, wrong, &std::pair<std::string_view, std::string_view>::first);
  if (known != std::end(kAbbreviations) && known_zone(known->second)) {
    return std::string(known->second);
  }
  if (auto zone = zone_of_offset(wrong); zone && known_zone(*zone)) return zone;
  std::optional<std::string> nearest;
  size_t least = SIZE_MAX;
  const auto offer = [&](const std::string& name, size_t distance, size_t most) {
    if (distance / 2 > most || distance >= least) return;
    nearest = name, least = distance;
  };
  for (const std::string& name : tz::zone_names()) {
    offer(name, 2 * edit_distance(wrong, name), wrong.size() / 3);
    // All of it before its last part: utc is UTC, not Etc/UTC.
    offer(name, 2 * edit_distance(city(wrong), city(name)) + 1, city(wrong).size() / 4);
  }
  return nearest;
}

Result<Zone> known_zone(std::string_view name) {
  constexpr std::string_view kHelp =
      "a zone is Europe/Berlin, UTC, or a name and how far it is behind UTC: CET-1, EST5EDT";
  if (name == "UTC" || name == "GMT") return Zone(name);
  // EST is a file of the data base. With a colon it means the file, and not UTC+0 (Zone()).
  const bool is_short = name.size() <= 3;
  if (is_short && tz::is_in_data_base(name)) return Zone(fmt::format(":{}", name));
  if (is_short || !is_zone_of_environment(name)) {
    return fail(Error(Fault::usage, "no such time zone: it would be UTC")
                    .help(std::string(kHelp))
                    .at("zone", name));
  }
  if (const auto offset = offset_said(name); offset && !offset->in_range) {
    return fail(
        Error(Fault::usage, "a zone is at most 24 hours from UTC, and an hour has 60 minutes")
            .help(std::string(kHelp))
            .at("zone", name));
  }
  return Zone(name);
}

void put_time_of_day(std::string& out, Stamp time, Fraction fraction, const Zone& zone) {
  const int64_t at = second_of_day(time.sec, zone);
  put_number(out, at / 3'600, 2);
  out += ':';
  put_number(out, at / 60 % 60, 2);
  out += ':';
  put_number(out, at % 60, 2);
  put_fraction(out, time.nsec, fraction);
}

void put_date_and_time(std::string& out, Stamp time, Fraction fraction, const Zone& zone) {
  const std::tm tm = zone.local(time.sec);
  put_date(out, tm);
  put_time_of_day(out, time, fraction, zone);
  fmt::format_to(std::back_inserter(out), " {}", int64_t{tm.tm_year} + 1900);
}

std::string pm_ctime(int64_t sec, const Zone& zone) {
  return date_and_time({sec, 0}, Fraction::none, zone) + "\n";
}

std::string time_of_day(Stamp time, Fraction fraction, const Zone& zone) {
  std::string out;
  put_time_of_day(out, time, fraction, zone);
  return out;
}

std::string date_and_time(Stamp time, Fraction fraction, const Zone& zone) {
  std::string out;
  put_date_and_time(out, time, fraction, zone);
  return out;
}

std::string zone_suffix(int64_t sec, const Zone& zone) {
  const int64_t east = zone.east(sec), minutes = (east < 0 ? -east : east) / 60;
  if (east == 0) return "Z";
  return fmt::format("{}{:02}:{:02}", east < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string iso_local(Stamp time, const Zone& zone) {
  const Stamp whole = stamp_from_nanos(nanos(time));
  std::string out = iso_utc({whole.sec + zone.east(whole.sec), whole.nsec});
  out.pop_back();
  return out + zone_suffix(whole.sec, zone);
}

}  // namespace pmjit
