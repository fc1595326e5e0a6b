#include "compiler/parse/sweep_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "compiler/parse/stages.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

using parse::Decimal;

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kForms = "write NAME=FROM..TO:STEP, such as t=0..100:1, or t=1,2.5,10";

class SweepValuesReader {
 public:
  SweepValuesReader(const SourceText& source, Diags& diags) : text_(source.text), diags_(diags) {}

  std::optional<SweepValues> run() {
    const size_t sign = std::min(text_.find('='), text_.size());
    SweepValues out;
    out.name = text_.substr(0, sign);
    out.name_span = {0, static_cast<uint32_t>(sign)};
    out.span = {static_cast<uint32_t>(std::min(sign + 1, text_.size())), end()};
    if (sign == text_.size() || !is_name(out.name)) {
      refuse({0, end()}, fmt::format("{} gives no parameter its values", text_));
      return std::nullopt;
    }
    const size_t dots = text_.find("..", out.span.begin);
    const bool sound = dots == text_.npos ? take_list(out) : take_range(out, dots);
    if (!sound) return std::nullopt;
    return out;
  }

 private:
  [[nodiscard]] uint32_t end() const { return static_cast<uint32_t>(text_.size()); }

  // What may stand behind a $.
  static bool is_name(std::string_view name) {
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return false;
    for (const char c : name) {
      if (c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0) return false;
    }
    return true;
  }

  void refuse(Span where, const std::string& why) {
    diags_.add(DiagCode::P_BadValues, where, why).help(std::string(kForms));
  }

  bool take_list(SweepValues& out) {
    for (uint32_t at = out.span.begin; at <= end();) {
      const auto comma = static_cast<uint32_t>(std::min(text_.find(',', at), text_.size()));
      auto value = number({at, comma});
      if (!value) return false;
      out.values.push_back(*std::move(value));
      if (out.values.size() > limits::kSweepPointsMax) return refuse_many(out.span), false;
      at = comma + 1;
    }
    return true;
  }

  bool take_range(SweepValues& out, size_t dots) {
    const auto to = static_cast<uint32_t>(dots) + 2;
    const size_t colon = text_.find(':', to);
    if (colon == text_.npos) {
      diags_.add(DiagCode::P_BadValues, out.span, "the range has no step")
          .help(fmt::format("write {}:1 for steps of 1", text_));
      return false;
    }
    const auto after = static_cast<uint32_t>(colon);
    const std::array parts{number({out.span.begin, to - 2}), number({to, after}),
                           number({after + 1, end()})};
    std::array<Decimal, 3> numbers;
    bool whole = true;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i]) return false;
      whole = whole && is_whole(parts[i]->digits);
      const auto read = parse::decimal_of(parts[i]->digits);
      if (!read) return refuse_long(out.span), false;
      numbers[i] = *read;
      if (parts[i]->negative) numbers[i].count = -numbers[i].count;
    }
    if (!parse::align(numbers)) return refuse_long(out.span), false;
    const auto [first, last, step] = numbers;
    if (step.count <= 0 || last.count < first.count) {
      diags_
          .add(DiagCode::P_EmptyRange, out.span, value_text(*parts[0]), value_text(*parts[1]),
               value_text(*parts[2]))
          .help("a range goes up by a step above 0: t=0..100:1");
      return false;
    }
    const int64_t steps = (last.count - first.count) / step.count;  // both have 18 digits at most
    if (steps >= static_cast<int64_t>(limits::kSweepPointsMax)) return refuse_many(out.span), false;
    for (int64_t i = 0; i <= steps; ++i) {
      const Decimal value{first.count + i * step.count, first.exponent};
      out.values.push_back({value.count < 0, parse::decimal_text(value, whole)});
    }
    return true;
  }

  void refuse_long(Span where) {
    refuse(where, "numbers of a range have 18 digits at most between them");
  }
  void refuse_many(Span where) {
    diags_.add(DiagCode::P_TooManyPoints, where, fmt::to_string(limits::kSweepPointsMax))
        .help("make the step larger, or sweep part after part");
  }

  // Digits, a point among or around them, an exponent.
  static bool is_number(std::string_view text) {
    const size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
    text.remove_prefix(digits);
    size_t places = 0;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      places = std::min(text.find_first_not_of(kDigits), text.size());
      text.remove_prefix(places);
    }
    if (digits + places == 0) return false;
    if (text.empty()) return true;
    if (text[0] != 'e' && text[0] != 'E') return false;
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of(kDigits) == text.npos;
  }

  // t=1-5: elsewhere that is a range.
  void refuse_number(Span where, std::string_view text) {
    const size_t dash = text.find('-', 1);
    const bool range = dash != text.npos && is_number(text.substr(0, dash)) &&
                       is_number(text.substr(dash + 1)) && where.end == end();
    if (!range) {
      return refuse(where,
                    text.empty() ? "a number is missing" : fmt::format("{} is no number", text));
    }
    diags_.add(DiagCode::P_BadValues, where, fmt::format("{} is no number", text))
        .help(fmt::format("write {}..{}:1 for a range in steps of 1", text.substr(0, dash),
                          text.substr(dash + 1)));
  }

  std::optional<ParameterValue> number(Span where) {
    const std::string_view text =
        std::string_view(text_).substr(where.begin, where.end - where.begin);
    ParameterValue out{.negative = text.starts_with('-')};
    out.digits = text.substr(out.negative ? 1 : 0);
    if (!is_number(out.digits)) {
      refuse_number(where, text);
      return std::nullopt;
    }
    const Expr written{.kind = is_whole(out.digits) ? ExprKind::integer : ExprKind::real,
                       .text_span = where,
                       .text = out.digits};
    const size_t before = diags_.all().size();
    parse::check_number(written, diags_);
    if (diags_.all().size() != before) return std::nullopt;
    return out;
  }

  const std::string& text_;
  Diags& diags_;
};

}  // namespace

std::optional<SweepValues> parse_sweep_values(const SourceText& source, Diags& diags) {
  return SweepValuesReader(source, diags).run();
}

}  // namespace pmjit

namespace pmjit::parse {

namespace {

constexpr int64_t kCountMax = 999'999'999'999'999'999;
constexpr int kPlacesMax = 20;  // after the point; smaller numbers have an exponent

}  // namespace

std::optional<Decimal> decimal_of(std::string_view digits) {
  Decimal out;
  const size_t end = std::min(digits.find_first_of("eE"), digits.size());
  const bool has_exponent = end < digits.size();
  const char* first = digits.data() + end + 1 + (has_exponent && digits[end + 1] == '+' ? 1 : 0);
  if (has_exponent &&
      std::from_chars(first, digits.data() + digits.size(), out.exponent).ec != std::errc()) {
    return std::nullopt;
  }
  bool after_point = false;
  for (const char c : digits.substr(0, end)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if (out.count > kCountMax / 10) return std::nullopt;
    out.count = out.count * 10 + (c - '0');
    if (after_point) --out.exponent;
  }
  if (out.count == 0) out.exponent = 0;
  return out;
}

bool align(std::span<Decimal> numbers) {
  int least = INT32_MAX;
  for (const Decimal& number : numbers) {
    if (number.count != 0) least = std::min(least, number.exponent);
  }
  for (Decimal& number : numbers) {
    for (; number.count != 0 && number.exponent > least; --number.exponent) {
      if (number.count > kCountMax / 10 || number.count < -kCountMax / 10) return false;
      number.count *= 10;
    }
    number.exponent = least == INT32_MAX ? 0 : least;
  }
  return true;
}

std::string decimal_text(Decimal number, bool whole) {
  std::string digits = fmt::to_string(number.count < 0 ? -number.count : number.count);
  if (whole) return digits;
  if (number.exponent > 0 || number.exponent < -kPlacesMax) {
    return fmt::format("{}e{}", digits, number.exponent);
  }
  const auto places = static_cast<size_t>(-number.exponent);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - places);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return digits.substr(0, digits.size() - places) + '.' + (fraction.empty() ? "0" : fraction);
}

}  // namespace pmjit::parse
