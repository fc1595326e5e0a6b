#include "runtime/testing/case_recording.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "runtime/base/bits.h"
#include "runtime/base/result.h"

namespace pmjit::cases {
namespace {

bool made_of(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == text.npos;
}

template <class T>
Result<T> parse_number(std::string_view text) {
  T value{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    return fail(Fault::limit, fmt::format("`{}` is beyond the range of the type", text));
  }
  if (error != std::errc{} || stop != end) {
    return fail(Fault::format, fmt::format("`{}` is not a value of this type", text));
  }
  return value;
}

// What is to be typed for 0+1000*3, 0+1000x, 0+1000y3 and "0,"; "": it is another text.
std::string series_help(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  if (text.size() > 1 && text.ends_with(',')) return "values are separated by blanks, not commas";
  const size_t sign = text.find_last_of("+-");
  if (sign == text.npos || sign == 0) return "";
  const std::string_view start = text.substr(0, sign);
  if (start.find_first_not_of("-0123456789.") != text.npos) return "";
  // The sign between step and times: *, X, another letter, or none.
  const size_t end = text.find_first_not_of("0123456789.", sign + 1);
  const std::string_view rest = end == text.npos ? "" : text.substr(end + 1);
  const bool counts = !rest.empty() && rest.find_first_not_of(kDigits) == rest.npos;
  return fmt::format("a series is START+STEPxTIMES: {}x{}", text.substr(0, end),
                     counts ? rest : "3");
}

// Why the text is no value of the type, and what to write.
template <class T>
Error no_value(std::string_view text, Elem elem, Fault fault) {
  constexpr bool is_unsigned = std::is_unsigned_v<T>;
  const std::string_view type = elem_text(elem);
  const bool is_negative = text.starts_with('-');
  const size_t digits = is_negative ? 1 : 0;
  const bool is_integer = text.size() > digits && made_of(text.substr(digits), "0123456789");
  if (is_unsigned && is_negative && is_integer) {
    return Error(Fault::limit, fmt::format("`{}`: {} has no values below 0", text, type))
        .help(fmt::format("write a value of at least 0, or give the metric the type {}",
                          sizeof(T) == sizeof(uint32_t) ? "i32" : "i64"));
  }
  if (fault == Fault::limit) {
    return Error(Fault::limit,
                 fmt::format("`{}` is too {} for {}", text, is_negative ? "small" : "large", type))
        .help(fmt::format("its values are {} to {}", std::numeric_limits<T>::lowest(),
                          std::numeric_limits<T>::max()));
  }
  const std::string series = series_help(text);
  return Error(Fault::format, fmt::format("`{}` is not a value of type {}", text, type))
      .help(series.empty() ? "write a number, as in 5; _ where there is no value" : series);
}

template <class T>
Result<uint64_t> bits_of_number(std::string_view text, Elem elem) {
  auto value = parse_number<T>(text);
  if (!value) return fail(no_value<T>(text, elem, value.error().fault()));
  uint64_t bits = 0;
  std::memcpy(&bits, &*value, sizeof *value);
  return bits;
}

// START±STEPxTIMES.
struct Steps {
  std::string_view start, step, times;

  [[nodiscard]] bool integers() const { return !start.contains('.') && !step.contains('.'); }
};

std::optional<Steps> split_steps(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kReal = "0123456789.";
  const size_t x = word.rfind('x');
  if (x == word.npos) return std::nullopt;
  const size_t sign = word.substr(0, x).find_last_of("+-");
  if (sign == word.npos || sign == 0) return std::nullopt;
  const Steps out{word.substr(0, sign), word.substr(sign, x - sign), word.substr(x + 1)};
  const bool negative = out.start.starts_with('-');
  const bool is_series = made_of(out.start.substr(negative ? 1 : 0), kReal) &&
                         made_of(out.step.substr(1), kReal) && made_of(out.times, kDigits);
  return is_series ? std::optional(out) : std::nullopt;
}

// T: of the start and the step; Wide: of what they add up to. Integers stay integers: 2^63 and its
// neighbours must not go through a double.
template <class T, class Wide>
Result<void> expand(const Steps& steps, std::string_view word, std::vector<std::string>& out) {
  const auto start = parse_number<T>(steps.start);
  const auto step = parse_number<T>(steps.step);
  const auto times = parse_number<uint32_t>(steps.times);
  if (!start || !step || !times || *times > kSeriesMax) {
    return fail(Fault::format, fmt::format("`{}` is no series", word));
  }
  for (uint32_t i = 0; i <= *times; ++i) {
    out.push_back(fmt::format("{}", Wide{*start} + Wide(i) * Wide{*step}));
  }
  return {};
}

std::string real_text(double value) {
  if (std::isnan(value)) return "NaN";
  return fmt::format("{}", value);
}

}  // namespace

Result<std::vector<std::string>> expand_series(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const auto steps = split_steps(word);
    if (word.starts_with('"') || !steps) {
      out.push_back(word);
    } else {
      auto done = steps->integers() ? expand<int64_t, Int128>(*steps, word, out)
                                    : expand<double, double>(*steps, word, out);
      if (!done) return fail(done.error());
    }
    if (out.size() > kSeriesMax) return fail(Fault::limit, "a series is too long");
  }
  return out;
}

Result<uint64_t> parse_value(std::string_view text, Elem elem) {
  switch (elem) {
    case Elem::i32: return bits_of_number<int32_t>(text, elem);
    case Elem::u32: return bits_of_number<uint32_t>(text, elem);
    case Elem::i64: return bits_of_number<int64_t>(text, elem);
    case Elem::u64: return bits_of_number<uint64_t>(text, elem);
    case Elem::f32: return bits_of_number<float>(text, elem);
    case Elem::f64: return bits_of_number<double>(text, elem);
    case Elem::truth:
    case Elem::text:
    case Elem::bytes: break;
  }
  return fail(Fault::unsupported, fmt::format("samples of type {}", elem_text(elem)));
}

std::string value_text(uint64_t bits, Elem elem) {
  switch (elem) {
    case Elem::i32: return fmt::format("{}", static_cast<int32_t>(bits));
    case Elem::u32: return fmt::format("{}", static_cast<uint32_t>(bits));
    case Elem::i64: return fmt::format("{}", static_cast<int64_t>(bits));
    case Elem::u64: return fmt::format("{}", bits);
    case Elem::f32: return real_text(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Elem::f64: return real_text(std::bit_cast<double>(bits));
    case Elem::truth: return bits != 0 ? "1" : "0";
    case Elem::text:
    case Elem::bytes: break;
  }
  stop_for_bug("a text has no bits", std::source_location::current());
}

}  // namespace pmjit::cases
