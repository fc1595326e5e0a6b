#include "runtime/text/interval.h"

#include <cctype>
#include <cstdlib>

#include "runtime/base/chars.h"

namespace pmjit {

namespace {

struct IntervalUnit {
  std::string_view text;
  double seconds;
  double per_second = 1;  // a quotient rounds better than a product with 1e-9
};
constexpr IntervalUnit kUnitWords[] = {
    {"nanosecond", 1, 1e9},
    {"nsec", 1, 1e9},
    {"microsecond", 1, 1e6},
    {"usec", 1, 1e6},
    {"millisecond", 1, 1e3},
    {"msec", 1, 1e3},
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

// Of one number; a sum may be more.
constexpr double kIntervalMax = 9223372036854775808.0;

bool same_word(std::string_view a, std::string_view lower_case) {
  if (a.size() != lower_case.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != lower_case[i]) return false;
  }
  return true;
}

// Null for a word that is none.
const IntervalUnit* find_unit(std::string_view word) {
  if (word.size() > 1 && (word.back() == 's' || word.back() == 'S')) word.remove_suffix(1);
  for (const IntervalUnit& unit : kUnitWords) {
    if (same_word(word, unit.text)) return &unit;
  }
  return nullptr;
}

auto refuse(std::string_view text, size_t column, std::string_view why) {
  return fail(Fault::usage, caret_text(text, column, why));
}

}  // namespace

std::string caret_text(std::string_view text, size_t column, std::string_view why) {
  std::string out(text);
  out += '\n';
  for (const char c : text.substr(0, column)) out += is_blank(c) ? c : ' ';  // a tab stays a tab
  return out.append("^ -- ").append(why).append("\n");
}

Result<double> parse_interval_seconds(std::string_view text) {
  if (text.empty()) return refuse(text, 0, "Null or empty specification");
  const std::string copy(text);  // strtod wants an end
  double sum = 0;
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) return sum;
    const char* from = copy.c_str() + at;
    char* end = nullptr;
    const double number = std::strtod(from, &end);
    // Neither comparison holds for "nan", which passes.
    if (end == from || number < 0 || number > kIntervalMax) {
      return refuse(text, at, "unexpected value");
    }
    at += static_cast<size_t>(end - from);
    while (at < text.size() && is_blank(text[at])) ++at;
    size_t word_end = at;
    while (word_end < text.size() && is_letter(text[word_end])) ++word_end;
    const IntervalUnit* unit = find_unit(word_end > at ? text.substr(at, word_end - at) : "s");
    if (!unit) return refuse(text, at, "unexpected value");
    sum += number * unit->seconds / unit->per_second;
    at = word_end;
  }
}

}  // namespace pmjit
