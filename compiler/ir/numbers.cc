#include "compiler/ir/numbers.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <limits>

namespace pmjit {

namespace {

constexpr uint64_t kPlainNan = 0x7ff8000000000000;

template <class T, class... Base>
std::optional<T> whole(std::string_view text, Base... base) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base...);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

template <class T>
std::optional<uint64_t> number_bits(std::string_view text) {
  const auto value = whole<T>(text);
  if (!value) return std::nullopt;
  return std::bit_cast<uint64_t>(*value);
}

}  // namespace

std::optional<uint32_t> u32_from_text(std::string_view text) { return whole<uint32_t>(text); }

std::optional<uint64_t> bits_from_text(std::string_view text) {
  if (!text.starts_with('#')) return std::nullopt;
  return whole<uint64_t>(text.substr(1), 16);
}

std::string number_text(Elem elem, uint64_t bits) {
  const double real = std::bit_cast<double>(bits);
  if (elem == Elem::i64) return fmt::format("{}", std::bit_cast<int64_t>(bits));
  if (elem == Elem::u64) return fmt::format("{}", bits);
  if (elem == Elem::truth && bits <= 1) return bits == 1 ? "true" : "false";
  if (elem == Elem::f64 && bits == kPlainNan) return "nan";
  if (elem == Elem::f64 && real == real) return fmt::format("{}", real);
  return fmt::format("#{:x}", bits);
}

std::optional<uint64_t> number_from_text(Elem elem, std::string_view text) {
  if (text.starts_with('#')) return bits_from_text(text);
  if (elem == Elem::i64) return number_bits<int64_t>(text);
  if (elem == Elem::u64) return number_bits<uint64_t>(text);
  if (elem == Elem::truth && (text == "true" || text == "false")) return text == "true";
  if (elem == Elem::f64 && text == "nan") return kPlainNan;
  if (elem == Elem::f64) return number_bits<double>(text);
  return std::nullopt;
}

}  // namespace pmjit
