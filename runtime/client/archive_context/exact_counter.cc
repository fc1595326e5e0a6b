#include "runtime/client/archive_context/exact_counter.h"

#include "runtime/model/pm_type.h"

namespace pmjit {

namespace {

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

// delta × done ÷ whole, in two digits of 32 bits: the product may have 158. Each division of 128
// bits is a call; what is left is cheaper as a product.
Part part_of(uint64_t delta, UInt128 done, UInt128 whole) {
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
