#include "compiler/ast/percent.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit {

namespace {

bool is_name_byte(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

// The last word with a dot that begins with a letter; "": there is none.
std::string_view last_metric(std::string_view text) {
  std::string_view out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_name_byte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.contains('.') && is_letter(word.front())) out = word;
    at = end + 1;
  }
  return out;
}

bool is_percentage(std::string_view metric) {
  const std::string_view last = metric.substr(metric.rfind('.') + 1);
  const auto has = [&](std::string_view part) { return last.contains(part); };
  return last == "full" || has("util") || has("pct") || has("percent") ||
         (metric.contains("pressure.") && has("avg"));
}

// Behind the last / stands this metric: mem.util.free / mem.physmem <
bool is_quotient(std::string_view before, std::string_view metric) {
  const size_t slash = before.rfind('/');
  return slash != before.npos && without_blanks(before.substr(slash + 1)).starts_with(metric);
}

// Its rate is the part of each second that something was busy.
bool is_busy_time(std::string_view metric) {
  return metric.contains(".cpu.") || metric.ends_with(".avactive");
}

}  // namespace

bool is_percent_word(std::string_view word) {
  constexpr std::string_view kWords[] = {"percent", "percents", "Percent", "pct", "perc"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

std::string percent_help(std::string_view before, std::string_view number) {
  constexpr double kPercent = 100;
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  const double share = value / kPercent;
  const std::string_view metric = last_metric(before);
  if (metric.empty()) {
    return fmt::format("write {} for a percentage, {:g} for a share of 1", number, share);
  }
  if (without_blanks(before).ends_with('*')) {
    return fmt::format("a percentage has no sign: write {}", number);
  }
  if (is_quotient(before, metric) && !before.contains("100")) {
    return fmt::format("a share of {} is at most 1: write {:g}", metric, share);
  }
  if (is_quotient(before, metric)) {
    return fmt::format("multiplied by 100 it is a percentage already: write {}", number);
  }
  if (is_percentage(metric)) {
    return fmt::format("{} is a percentage already: write {}", metric, number);
  }
  if (metric.starts_with("mem.")) {
    return fmt::format("write a part of the whole: {:g} * mem.physmem", share);
  }
  if (is_busy_time(metric)) {
    return fmt::format("the rate of {} is 1 where one is always busy: write {:g}", metric, share);
  }
  return fmt::format("write {} if {} is a percentage, {:g} if it is a share of 1", number, metric,
                     share);
}

}  // namespace pmjit
