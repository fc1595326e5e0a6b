#include "runtime/text/zone.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "runtime/tz/make_time.h"

namespace pmjit {

namespace {

// Years that an int holds, with a day to spare for the offset.
constexpr int64_t kSecMin = -67'768'040'609'000'000, kSecMax = 67'767'976'233'000'000;

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

}  // namespace

Zone::Zone() : rules_(tz::load_rules(std::getenv("TZ"))) {}

// Three characters of any kind are a name without an offset to the reference, "EST" too: it is UTC.
Zone::Zone(std::string_view name) : name_(name) {
  if (name.size() == 3) *name_ += "+0";
  rules_ = tz::load_rules(name_->c_str());
}

int64_t Zone::east(int64_t sec) const { return rules_->at(std::clamp(sec, kSecMin, kSecMax)).east; }

std::tm Zone::local(int64_t sec) const {
  std::tm tm{};
  (void)rules_->local(std::clamp(sec, kSecMin, kSecMax), tm);
  tm.tm_zone = "";  // no text of ours has it
  return tm;
}

int64_t Zone::seconds_of(const std::tm& tm, int64_t& guess) const {
  return tz::make_time(*rules_, tm, guess);
}

int64_t Zone::seconds_of(const std::tm& tm) const {
  int64_t guess = 0;
  return seconds_of(tm, guess);
}

Result<Zone> known_zone(std::string_view name) {
  constexpr std::string_view kHelp =
      "a zone is Europe/Berlin, UTC, or a name and how far it is behind UTC: CET-1, EST5EDT";
  if (name == "UTC" || name == "GMT") return Zone(name);
  std::string_view bare = name;
  if (bare.starts_with(':')) bare.remove_prefix(1);
  if (name.size() == 3 || !(says_its_offset(bare) || tz::is_in_data_base(bare))) {
    return fail(Error(Fault::usage, "no such time zone: it would be UTC")
                    .help(std::string(kHelp))
                    .at("zone", name));
  }
  return Zone(name);
}

}  // namespace pmjit
