#include "runtime/report/text/iso_clock.h"

#include <cstring>
#include <string>

namespace pmjit {

namespace {

constexpr size_t kTail = 3;  // "SSZ"

char* digits(char* at, int64_t value, int count) {
  for (int i = count - 1; i >= 0; --i, value /= 10) at[i] = static_cast<char>('0' + value % 10);
  return at + count;
}

}  // namespace

std::string_view IsoClock::text(Stamp s) {
  if (s.nsec < 0 || s.nsec >= 1'000'000'000) s = stamp_from_nanos(nanos(s));
  const int64_t minute = s.sec / 60 - (s.sec % 60 < 0);
  if (minute != minute_) {
    const std::string whole = iso_utc({s.sec, 0});
    std::memcpy(text_, whole.data(), whole.size());
    seconds_at_ = whole.size() - kTail;
    minute_ = minute;
  }
  char* at = digits(text_ + seconds_at_, s.sec - minute * 60, 2);
  if (s.nsec != 0) {
    *at++ = '.';
    if (s.nsec % 1'000'000 == 0) {
      at = digits(at, s.nsec / 1'000'000, 3);
    } else if (s.nsec % 1'000 == 0) {
      at = digits(at, s.nsec / 1'000, 6);
    } else {
      at = digits(at, s.nsec, 9);
    }
  }
  *at++ = 'Z';
  return {text_, static_cast<size_t>(at - text_)};
}

}  // namespace pmjit
