// The form behind "@": [Www] [Mmm] [dd] [hh[:mm[:ss[.frac]]]] [am|pm] [yyyy].
#include <array>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

#include "runtime/text/date_text.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

constexpr std::array<std::string_view, 7> kDays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr int kHourMax = 23;
constexpr double kSecMax = 61;

struct Fields {
  bool weekday = false, colon = false;
  std::optional<int> month, day, hour, minute, year;
  std::optional<Stamp> second;  // with its fraction
};

// Takes fields off the front of a text; a field that is not there leaves the text as it is.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : text_(text) {}

  [[nodiscard]] size_t column() const { return at_; }
  [[nodiscard]] bool done() {
    skip_blanks();
    return at_ == text_.size();
  }

  template <size_t N>
  std::optional<int> name(const std::array<std::string_view, N>& names) {
    skip_blanks();
    for (size_t i = 0; i < N; ++i) {
      if (starts_with(names[i])) return at_ += names[i].size(), static_cast<int>(i);
    }
    return std::nullopt;
  }

  // No letter may follow.
  template <size_t N>
  std::optional<int> whole_name(const std::array<std::string_view, N>& names) {
    const size_t was = at_;
    const auto found = name(names);
    const bool more = at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]));
    if (!found || !more) return found;
    return at_ = was, std::nullopt;
  }

  std::optional<int> number(int least, int most) {
    skip_blanks();
    char* end = nullptr;
    const long value = std::strtol(text_.c_str() + at_, &end, 10);
    const auto stop = static_cast<size_t>(end - text_.c_str());
    if (stop == at_ || value < least || value > most) return std::nullopt;
    return at_ = stop, static_cast<int>(value);
  }

  std::optional<Stamp> seconds() {
    skip_blanks();
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    const auto stop = static_cast<size_t>(end - text_.c_str());
    if (stop == at_ || !(value >= 0 && value <= kSecMax)) return std::nullopt;
    at_ = stop;
    // Truncated, as the reference does, in long double: 41.573668 is 41 s and 573,667,999 ns.
    const auto sec = static_cast<int64_t>(value);
    const long double rest = static_cast<long double>(value) - static_cast<long double>(sec);
    return Stamp{sec, static_cast<int32_t>(rest * 1'000'000'000)};
  }

  bool sign(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }
  [[nodiscard]] bool next_is(char c) {
    const size_t was = at_;
    const bool is = sign(c);
    at_ = was;
    return is;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  [[nodiscard]] bool starts_with(std::string_view lower_case) const {
    if (text_.size() - at_ < lower_case.size()) return false;
    for (size_t i = 0; i < lower_case.size(); ++i) {
      if (std::tolower(static_cast<unsigned char>(text_[at_ + i])) != lower_case[i]) return false;
    }
    return true;
  }
  std::string text_;
  size_t at_ = 0;
};

// [Www] [Mmm] [dd]; a number with a colon behind it is an hour.
void read_date(FieldReader& in, Fields& f) {
  f.weekday = in.name(kDays).has_value();
  f.month = in.name(kMonths);
  f.day = in.number(0, 31);
  if (f.day && *f.day <= kHourMax && in.next_is(':')) f.hour = std::exchange(f.day, std::nullopt);
}

void read_time(FieldReader& in, Fields& f) {
  if (!f.hour) f.hour = in.number(0, kHourMax);
  if (!f.hour && !f.month && f.day && *f.day <= kHourMax)
    f.hour = std::exchange(f.day, std::nullopt);
  if (in.sign(':')) {
    f.colon = true;
    if (!f.hour) f.hour = 0;
    f.minute = in.number(0, 59);
    if (in.sign(':')) f.second = in.seconds();
  }
  static constexpr std::array<std::string_view, 2> kHalves{"am", "pm"};
  if (!f.hour || *f.hour > 12) return;
  if (const auto half = in.whole_name(kHalves)) f.hour = *f.hour % 12 + 12 * *half;
}

// A day of 0 that leads, or that has an hour behind it, counts as not written.
void forget_day_zero(Fields& f) {
  if (f.day == 0 && (!f.month || f.hour)) f.day.reset();
}

// The base by its own clock; where clocks go back an hour, that may be the hour before.
Stamp again(Stamp base, const Zone& zone, int64_t& guess) {
  std::tm tm = zone.local(base.sec);
  tm.tm_isdst = -1;
  return Stamp{zone.seconds_of(tm, guess), base.nsec};
}

Stamp fill(const Fields& f, Stamp base, const Zone& zone, int64_t& guess) {
  const std::tm now = zone.local(base.sec);
  std::tm tm{};
  tm.tm_year = f.year ? *f.year - 1900 : now.tm_year;
  tm.tm_mon = f.month.value_or(f.year ? 0 : now.tm_mon);
  tm.tm_mday = f.day.value_or(f.year || f.month ? 1 : now.tm_mday);
  tm.tm_hour = f.hour.value_or(0);
  tm.tm_min = f.minute.value_or(0);
  tm.tm_isdst = -1;
  if (f.year) {
    // The year is the first field: nothing comes from the base, and nothing lies before it.
  } else if (f.month) {
    tm.tm_year += tm.tm_mon < now.tm_mon;
  } else if (f.day) {
    tm.tm_mon += tm.tm_mday < now.tm_mday;
  } else {
    tm.tm_mday += tm.tm_hour < now.tm_hour;
  }
  const Stamp second = f.second.value_or(Stamp{});
  return Stamp{zone.seconds_of(tm, guess) + second.sec, second.nsec};
}

}  // namespace

Result<Stamp> parse_ctime(std::string_view text, Stamp base, const Zone& zone, int64_t& guess) {
  const auto refuse = [&](size_t column, std::string_view why) {
    return fail(Fault::usage, caret_text(text, column, why));
  };
  FieldReader in(text);
  if (in.done()) return again(base, zone, guess);
  Fields f;
  read_date(in, f);
  read_time(in, f);
  if (!in.done()) {
    f.year = in.number(1900, 9999);
    if (!f.year || !in.done()) return refuse(in.column(), "unexpected value");
  }
  forget_day_zero(f);
  const bool no_date = !f.month && !f.day;
  const bool lone_hour = f.hour && !f.colon && no_date && !f.year;
  if ((f.weekday && no_date) || lone_hour) return refuse(in.column(), "more information expected");
  return fill(f, base, zone, guess);
}

}  // namespace pmjit
