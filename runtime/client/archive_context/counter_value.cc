#include "runtime/client/archive_context/counter_value.h"

#include <bit>
#include <cstdlib>

#include "runtime/base/bits.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr double kTwo64 = 18446744073709551616.0;

double part_of(const CounterSpan& span, double delta) { return span.done * delta / span.whole; }

uint32_t between_i32(const CounterSpan& span, bool wrap) {
  const auto prior = static_cast<int32_t>(span.prior), next = static_cast<int32_t>(span.next);
  // The 32-bit difference, which wraps as the processor does.
  const auto delta =
      static_cast<int32_t>(static_cast<uint32_t>(next) - static_cast<uint32_t>(prior));
  if (next < prior && wrap) {
    // The reference leaves the value before out, and writes where it must not; this is what the sum
    // would be.
    return static_cast<uint32_t>(prior) +
           static_cast<uint32_t>(truncated_i32(0.5 + part_of(span, delta)));
  }
  return static_cast<uint32_t>(truncated_i32(0.5 + prior + part_of(span, delta)));
}

uint32_t between_u32(const CounterSpan& span, bool wrap) {
  const auto prior = static_cast<uint32_t>(span.prior), next = static_cast<uint32_t>(span.next);
  if (next >= prior) return truncated_u32(0.5 + prior + part_of(span, next - prior));
  if (wrap) return truncated_u32(0.5 + part_of(span, next - prior)) + prior;
  return truncated_u32(0.5 + prior - part_of(span, prior - next));
}

uint64_t between_i64(const CounterSpan& span) {
  const auto prior = static_cast<int64_t>(span.prior);
  const auto delta = static_cast<int64_t>(span.next - span.prior);
  return static_cast<uint64_t>(
      truncated_i64(0.5 + static_cast<double>(prior) + part_of(span, static_cast<double>(delta))));
}

// Compared and based as signed numbers, as the reference has them.
uint64_t between_u64(const CounterSpan& span, bool wrap) {
  const auto prior = static_cast<int64_t>(span.prior), next = static_cast<int64_t>(span.next);
  const auto base = static_cast<double>(prior);
  if (next >= prior) {
    const auto delta = static_cast<int64_t>(span.next - span.prior);
    return truncated_u64(0.5 + base + part_of(span, static_cast<double>(delta)));
  }
  if (wrap) {
    return truncated_u64(0.5 + base + part_of(span, kTwo64 - base + static_cast<double>(next)));
  }
  const auto delta = static_cast<int64_t>(span.prior - span.next);
  return truncated_u64(0.5 + base - part_of(span, static_cast<double>(delta)));
}

bool is_narrow(int type) { return type == pm_type::i32 || type == pm_type::u32; }

Int128 number(int type, uint64_t bits) {
  switch (type) {
    case pm_type::i32: return static_cast<int32_t>(bits);
    case pm_type::u32: return static_cast<uint32_t>(bits);
    case pm_type::i64: return static_cast<int64_t>(bits);
    default: return bits;
  }
}

struct Part {
  uint64_t whole;
  UInt128 rest;
};

// delta × done ÷ whole. Mostly the product has 64 bits; else in two digits of 32, for it may have
// 158. Each division of 128
// bits is a call; what is left is cheaper as a product.
Part part_of(uint64_t delta, UInt128 done, UInt128 whole) {
  uint64_t short_product = 0;
  if (whole <= UINT64_MAX &&
      !__builtin_mul_overflow(delta, static_cast<uint64_t>(done), &short_product)) {
    const auto divisor = static_cast<uint64_t>(whole);
    return {short_product / divisor, short_product % divisor};
  }
  UInt128 high = 0, left = 0;
  if (delta > UINT32_MAX) {
    const UInt128 product = done * (delta >> 32);
    high = product / whole;
    left = product - high * whole;
  }
  const UInt128 product = (left << 32) + done * (delta & UINT32_MAX);
  const UInt128 low = product / whole;
  return {static_cast<uint64_t>((high << 32) + low), product - low * whole};
}

}  // namespace

uint64_t counter_between(const CounterSpan& span, bool wrap) {
  switch (span.type) {
    case pm_type::i32: return between_i32(span, wrap);
    case pm_type::u32: return between_u32(span, wrap);
    case pm_type::i64: return between_i64(span);
    case pm_type::u64: return between_u64(span, wrap);
    case pm_type::f32: {
      const auto prior = std::bit_cast<float>(static_cast<uint32_t>(span.prior));
      const auto next = std::bit_cast<float>(static_cast<uint32_t>(span.next));
      const auto value = static_cast<float>(double{prior} + part_of(span, double{next - prior}));
      return std::bit_cast<uint32_t>(value);
    }
    default: {
      const auto prior = std::bit_cast<double>(span.prior), next = std::bit_cast<double>(span.next);
      return std::bit_cast<uint64_t>(prior + part_of(span, next - prior));
    }
  }
}

bool counters_wrap() { return std::getenv("PCP_COUNTER_WRAP") != nullptr; }

uint64_t exact_counter_between(const ExactSpan& span, bool wrap) {
  const Int128 prior = number(span.type, span.prior);
  Int128 next = number(span.type, span.next);
  if (next < prior && wrap) next += Int128{1} << (is_narrow(span.type) ? 32 : 64);
  const bool falls = next < prior;
  const auto delta = static_cast<uint64_t>(falls ? prior - next : next - prior);
  auto [part, rest] =
      part_of(delta, static_cast<UInt128>(span.done), static_cast<UInt128>(span.whole));
  const auto whole = static_cast<UInt128>(span.whole);
  // Half up: of a counter that goes down half a unit less.
  if (falls ? 2 * rest > whole : 2 * rest >= whole) ++part;
  const uint64_t bits = falls ? span.prior - part : span.prior + part;
  return is_narrow(span.type) ? static_cast<uint32_t>(bits) : bits;
}

}  // namespace pmjit
