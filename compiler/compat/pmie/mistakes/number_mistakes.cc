// Numbers and units that rules do not have.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "compiler/ast/percent.h"
#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/statement_look.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

// Mbit, kbps; 0: it is no unit of bits.
double bytes_in_bits(std::string_view unit) {
  constexpr double kBits = 8;
  constexpr std::pair<std::string_view, double> kScales[] = {
      {"", 1}, {"K", 1e3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
  for (const std::string_view word : {"bits", "bit", "bps"}) {
    if (!unit.ends_with(word)) continue;
    const std::string_view scale = unit.substr(0, unit.size() - word.size());
    for (const auto& [text, factor] : kScales) {
      if (text == scale) return factor / kBits;
    }
  }
  return 0;
}

}  // namespace

// 500 MB, 500MB, 500 kbytes, 500 count/s
bool StatementLook::no_unit(const RoughToken& token) {
  const bool split = token.kind == RoughToken::Kind::word && is_number(token.text) &&
                     before_.kind == RoughToken::Kind::word && is_number(before_.text);
  if (split && !token.begins_line && !in_action_) {
    mistake_ = {.where = {before_.span.begin, token.span.end},
                .message = "a number cannot contain a blank",
                .help = fmt::format("write {}{}", before_.text, token.text)};
    return true;
  }
  if (token.kind != RoughToken::Kind::word || is_number(token.text)) return false;
  if (token.begins_line || is_action(token.text)) return false;
  if (behind_unit(token)) return true;
  const bool behind = before_.kind == RoughToken::Kind::word && is_number(before_.text);
  // 5 count/s, 5/s
  const bool below = is(before_, "/") && before_that_.kind == RoughToken::Kind::word &&
                     (find_unit(before_that_.text) != nullptr || is_number(before_that_.text));
  const size_t digits = std::min(token.text.find_first_not_of("0123456789."), token.text.size());
  if (is(before_that_, "$") && find_unit(token.text) != nullptr) {
    const std::string_view line = text_.substr(token.span.begin);
    const size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzKMGTPE/");
    mistake_ = {.where = token.span,
                .message = fmt::format("no unit can follow the macro ${}", before_.text),
                .help = fmt::format("write the unit where it is defined: {} = 5 {};", before_.text,
                                    line.substr(0, end))};
    return true;
  }
  if (behind && digits == 0 && no_operator(token)) return true;
  if (behind && token.text == "of") {
    mistake_ = {.where = token.span,
                .message = "rules have no `of`",
                .help = fmt::format("count what is true: count_inst (disk.dev.read > 5) >= {}",
                                    before_.text)};
    return true;
  }
  if (token.text.starts_with("0x") || token.text.starts_with("0X")) {
    mistake_ = {.where = token.span,
                .message = fmt::format("{} is not a number", token.text),
                .help = "there are no hexadecimal numbers"};
    return true;
  }
  if (digits == 0 && !behind && !below) return false;
  const std::string_view unit = token.text.substr(digits);
  if (digits > 0 && no_number(token, unit)) return true;
  if (find_unit(unit) != nullptr || unit.contains('.')) return false;
  if (behind && digits == 0 && is_alert_word(unit)) return of_alert(token);
  if (alert_ && behind && digits == 0 && near_alert_word(token)) return true;
  const bool known = unit == "d" || unit == "w" || is_percent_word(unit);
  if (unit_meant(unit).empty() && !behind && !known) return false;
  return no_such_unit(token, {token.span.begin + static_cast<uint32_t>(digits), token.span.end},
                      unit, below);
}

// 1e3k, 1_000, 1.2.3; not @0..2, and not :10.0.0.1
bool StatementLook::no_number(const RoughToken& token, std::string_view behind_digits) {
  const bool of_sign = is(before_, "@") || is(before_, ":");
  const bool split = behind_digits.find_first_of("0123456789._") != behind_digits.npos;
  if (of_sign || count_ == 0 || (!split && !behind_digits.empty())) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("{} is not a number", token.text),
              .help = "numbers are 1000, 0.5 or 1e3; a unit is a separate word: 5 Mbyte, 90 min"};
  if (const auto seconds = seconds_meant(token.text)) {
    mistake_->message = "a value has one number with one unit";
    mistake_->help = fmt::format("write {:g} sec", *seconds);
  }
  return true;
}

// 95 %, 95 percent
void StatementLook::percent(Span where, Span number) {
  const std::string_view amount = text_.substr(number.begin, number.end - number.begin);
  mistake_ = {.where = where,
              .message = fmt::format("there is no unit {}",
                                     text_.substr(where.begin, where.end - where.begin)),
              .help = percent_help(text_.substr(begin_, number.begin - begin_), amount)};
  // 50 % disk.dev.read > 5
  const std::string_view rest = without_blanks(text_.substr(where.end));
  const bool first = without_blanks(text_.substr(begin_, number.begin - begin_)).ends_with('=');
  if (first && !rest.empty() && (is_letter(rest.front()) || rest.front() == '(')) {
    mistake_->help = fmt::format("write {0} %_inst for {0} percent of the instances", amount);
  }
}

bool StatementLook::no_such_unit(const RoughToken& token, Span where, std::string_view unit,
                                 bool below) {
  mistake_ = {.where = where,
              .message = fmt::format("there is no unit {}", unit),
              .label = unit_meant(unit),
              .may_be_metric = below};
  if (is_percent_word(unit)) {
    const bool split = where.begin == token.span.begin;
    return percent(where, split ? before_.span : Span{token.span.begin, where.begin}), true;
  }
  const std::string_view one = unit.substr(0, unit.size() - (unit.ends_with('s') ? 1 : 0));
  const int hours = one == "day" || unit == "d" ? 24 : one == "week" || unit == "w" ? 168 : 0;
  const std::string_view number = where.begin > token.span.begin
                                      ? token.text.substr(0, where.begin - token.span.begin)
                                      : before_.text;
  int days = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), days);
  if (hours != 0) {
    mistake_->label.clear();
    mistake_->help = "the longest unit of time is hour";
    if (read.ec == std::errc() && read.ptr == number.data() + number.size() && days < 10'000) {
      mistake_->help += fmt::format(": write {} hour", days * hours);
    }
  } else if (const double bytes = bytes_in_bits(unit); bytes > 0 && is_number(number)) {
    double bits = 0;
    std::from_chars(number.data(), number.data() + number.size(), bits);
    mistake_->label.clear();
    mistake_->help = fmt::format("eight bits are a byte: write {:.0f} byte", bits * bytes);
  } else if (unit == "k" || unit == "K") {
    mistake_->help = fmt::format("of a count it is {}000", number);
  } else if (mistake_->label.empty()) {
    mistake_->help =
        "units are byte, Kbyte, Mbyte, Gbyte, Tbyte, nsec, usec, msec, sec, min, hour, count";
  }
  return true;
}

}  // namespace pmjit::pmie
