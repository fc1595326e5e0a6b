#include "runtime/client/archive_context/counter_value.h"

#include <bit>
#include <cstdlib>

#include "runtime/base/truncate.h"
#include "runtime/model/pm_type.h"

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

}  // namespace pmjit
