#include "tests/unit/tz/c_library.h"

#include <fmt/format.h>

#include <cstdlib>

namespace pmjit::tz {

namespace {

// Twice: what a text without rules means settles with the second time.
void set(const char* zone) {
  zone ? setenv("TZ", zone, 1) : unsetenv("TZ");
  tzset();
  tzset();
}

}  // namespace

std::string shown(const std::tm& tm) {
  return fmt::format("{}-{}-{} {}:{}:{} weekday {} day {} dst {} east {}",
                     int64_t{tm.tm_year} + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
                     tm.tm_sec, tm.tm_wday, tm.tm_yday, tm.tm_isdst, tm.tm_gmtoff);
}

CLibrary::CLibrary(const char* zone) {
  if (const char* before = std::getenv("TZ")) before_ = before;
  forget(zone);
}

CLibrary::~CLibrary() { set(before_ ? before_->c_str() : nullptr); }

void CLibrary::forget(const char* zone) const {
  set("UTC0");
  std::tm tm{.tm_mday = 1, .tm_year = 100};
  (void)std::mktime(&tm);
  set(zone);
}

std::optional<std::tm> CLibrary::local(int64_t sec) const {
  std::tm tm{};
  if (localtime_r(&sec, &tm) == nullptr) return std::nullopt;
  return tm;
}

int64_t CLibrary::seconds_of(std::tm tm) const { return std::mktime(&tm); }

}  // namespace pmjit::tz
