#include "runtime/model/interval.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace pmjit {

namespace {

struct UnitWord {
  std::string_view text;
  double seconds;
};
constexpr UnitWord kUnitWords[] = {
    {"nanosecond", 1e-9},
    {"nsec", 1e-9},
    {"microsecond", 1e-6},
    {"usec", 1e-6},
    {"millisecond", 1e-3},
    {"msec", 1e-3},
    {"second", 1},
    {"sec", 1},
    {"s", 1},
    {"minute", 60},
    {"min", 60},
    {"m", 60},
    {"hour", 3600},
    {"hr", 3600},
    {"h", 3600},
    {"day", 86400},
    {"d", 86400},
};

// The reference refuses what does not fit a 64-bit second.
constexpr double kSecondsEnd = 9223372036854775808.0;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool same_word(std::string_view a, std::string_view lower_case) {
  if (a.size() != lower_case.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != lower_case[i]) return false;
  }
  return true;
}

// Seconds a unit word stands for; 0 for a word that is none.
double unit_seconds(std::string_view word) {
  if (word.size() > 1 && (word.back() == 's' || word.back() == 'S')) word.remove_suffix(1);
  for (const UnitWord& unit : kUnitWords) {
    if (same_word(word, unit.text)) return unit.seconds;
  }
  return 0;
}

auto refuse(std::string_view text, size_t column, std::string_view why) {
  return fail(Fault::usage, caret_text(text, column, why));
}

}  // namespace

std::string caret_text(std::string_view text, size_t column, std::string_view why) {
  std::string out(text);
  out += '\n';
  out.append(column, ' ');
  return out.append("^ -- ").append(why).append("\n");
}

Result<Interval> parse_interval(std::string_view text) {
  if (text.empty()) return refuse(text, 0, "Null or empty specification");
  const std::string copy(text);  // strtod wants an end
  double sum = 0;
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) break;
    const char* from = copy.c_str() + at;
    char* end = nullptr;
    const double number = std::strtod(from, &end);
    if (end == from || !(number >= 0 && number < kSecondsEnd) || *from == '-') {
      return refuse(text, at, "unexpected value");
    }
    at += static_cast<size_t>(end - from);
    while (at < text.size() && is_blank(text[at])) ++at;
    size_t word_end = at;
    while (word_end < text.size() && is_letter(text[word_end])) ++word_end;
    double unit = 1;
    if (word_end > at) {
      unit = unit_seconds(text.substr(at, word_end - at));
      if (unit == 0) return refuse(text, at, "unexpected value");
    }
    sum += number * unit;
    at = word_end;
  }
  if (sum >= kSecondsEnd) return refuse(text, 0, "more seconds than a time can hold");
  const auto sec = static_cast<int64_t>(sum);
  return Interval{.sec = sec,
                  .nsec = static_cast<int32_t>((sum - static_cast<double>(sec)) * 1e9 + 0.5)};
}

}  // namespace pmjit
