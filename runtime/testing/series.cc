#include "runtime/testing/series.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <regex>

#include "runtime/base/check.h"

namespace pmjit::cases {
namespace {

template <class T>
Result<T> parse_number(std::string_view text) {
  T value{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) {
    return fail(Fault::format, fmt::format("`{}` is not a value of this type", text));
  }
  return value;
}

template <class T>
Result<uint64_t> bits_of_number(std::string_view text) {
  auto value = parse_number<T>(text);
  if (!value) return fail(value.error());
  uint64_t bits = 0;
  std::memcpy(&bits, &*value, sizeof *value);
  return bits;
}

// Integers stay integers: 2^63 and its neighbours must not go through a double.
Result<void> expand_integers(const std::smatch& parts, std::vector<std::string>& out) {
  auto start = parse_number<int64_t>(parts[1].str());
  auto step = parse_number<int64_t>(parts[2].str());
  auto times = parse_number<uint32_t>(parts[3].str());
  if (!start || !step || !times || *times > kSeriesMax) {
    return fail(Fault::format, fmt::format("`{}` is no series", parts[0].str()));
  }
  for (int64_t i = 0; i <= *times; ++i) out.push_back(fmt::format("{}", *start + i * *step));
  return {};
}

Result<void> expand_reals(const std::smatch& parts, std::vector<std::string>& out) {
  auto start = parse_number<double>(parts[1].str());
  auto step = parse_number<double>(parts[2].str());
  auto times = parse_number<uint32_t>(parts[3].str());
  if (!start || !step || !times || *times > kSeriesMax) {
    return fail(Fault::format, fmt::format("`{}` is no series", parts[0].str()));
  }
  for (uint32_t i = 0; i <= *times; ++i) out.push_back(fmt::format("{}", *start + i * *step));
  return {};
}

std::string real_text(double value) {
  if (std::isnan(value)) return "NaN";
  return fmt::format("{}", value);
}

}  // namespace

Result<std::vector<std::string>> expand_series(const std::vector<std::string>& words) {
  const std::regex integers(R"((-?\d+)([+-]\d+)x(\d+))");
  const std::regex reals(R"((-?[\d.]+)([+-][\d.]+)x(\d+))");
  std::vector<std::string> out;
  for (const std::string& word : words) {
    std::smatch parts;
    if (word.starts_with('"')) {
      out.push_back(word);
    } else if (std::regex_match(word, parts, integers)) {
      if (auto done = expand_integers(parts, out); !done) return fail(done.error());
    } else if (std::regex_match(word, parts, reals)) {
      if (auto done = expand_reals(parts, out); !done) return fail(done.error());
    } else {
      out.push_back(word);
    }
    if (out.size() > kSeriesMax) return fail(Fault::limit, "a series is too long");
  }
  return out;
}

Result<uint64_t> parse_value(std::string_view text, Elem elem) {
  switch (elem) {
    case Elem::i32: return bits_of_number<int32_t>(text);
    case Elem::u32: return bits_of_number<uint32_t>(text);
    case Elem::i64: return bits_of_number<int64_t>(text);
    case Elem::u64: return bits_of_number<uint64_t>(text);
    case Elem::f32: return bits_of_number<float>(text);
    case Elem::f64: return bits_of_number<double>(text);
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
  stop_for_bug("a text has no bits of its own", std::source_location::current());
}

}  // namespace pmjit::cases
