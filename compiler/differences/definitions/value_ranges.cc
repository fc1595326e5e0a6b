#include "compiler/differences/definitions/definition_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr long double kInfinite = std::numeric_limits<long double>::infinity();

template <class T>
Range of_integer() {
  return {static_cast<long double>(std::numeric_limits<T>::min()),
          static_cast<long double>(std::numeric_limits<T>::max())};
}

long double product(long double a, long double b) { return a == 0 || b == 0 ? 0 : a * b; }

Range products(const Range& a, const Range& b) {
  const auto [lo, hi] = std::minmax(
      {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)});
  return {lo, hi};
}

}  // namespace

Range hull(const Range& a, const Range& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Range common(const Range& a, const Range& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

Range of_type(int type) {
  switch (type) {
    case pm_type::i32: return of_integer<int32_t>();
    case pm_type::u32: return of_integer<uint32_t>();
    case pm_type::i64: return of_integer<int64_t>();
    case pm_type::u64: return of_integer<uint64_t>();
    default: return {-kInfinite, kInfinite};
  }
}

Range of_types(TypeSet types) {
  Range out{kInfinite, -kInfinite};
  each_type(types, [&](int type) { out = hull(out, of_type(type)); });
  return out.lo > out.hi ? Range{-kInfinite, kInfinite} : out;
}

Range combined(Operator op, const Range& a, const Range& b) {
  switch (op) {
    case Operator::add: return {a.lo + b.lo, a.hi + b.hi};
    case Operator::sub: return {a.lo - b.hi, a.hi - b.lo};
    case Operator::mul: return products(a, b);
    default:
      if (b.contains(0) || std::isinf(b.lo) || std::isinf(b.hi)) return {-kInfinite, kInfinite};
      return products(a, {1 / b.hi, 1 / b.lo});
  }
}

Range kept(const Range& exact, TypeSet types) {
  Range out = exact;
  each_type(types, [&](int type) {
    if (!exact.within(of_type(type))) out = hull(out, of_type(type));
  });
  return common(out, of_types(types));
}

}  // namespace pmjit
