// What every operator means: run_operator() at the end has one case each, the functions before it
// are the meanings that need more than a line. Floating point is IEEE binary64 as the compiler
// gives it without -ffast-math and contraction; integers are exact or there is no result.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "compiler/interp/call.h"
#include "compiler/interp/with_elem.h"
#include "runtime/base/bits.h"

namespace pmjit::interp {

namespace {

template <class T>
constexpr bool kReal = std::is_floating_point_v<T>;

template <class R>
std::optional<R> if_fits(Int128 exact) {
  const auto result = static_cast<R>(exact);
  return static_cast<Int128>(result) == exact ? std::optional(result) : std::nullopt;
}

// The builtins compute as if with infinite precision and say whether the result type holds it, also
// where the operands differ in sign.
constexpr auto kAdd = []<class R>(auto a, auto b) -> std::optional<R> {
  if constexpr (kReal<R>) {
    return a + b;
  } else {
    R result;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
};
constexpr auto kSub = []<class R>(auto a, auto b) -> std::optional<R> {
  if constexpr (kReal<R>) {
    return a - b;
  } else {
    R result;
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
};
constexpr auto kMul = []<class R>(auto a, auto b) -> std::optional<R> {
  if constexpr (kReal<R>) {
    return a * b;
  } else {
    R result;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
};

template <class Meaning>
void arithmetic(const Call& call, Meaning meaning) {
  with_pair(call.op.elems[0], call.op.elems[1], [&]<class A, class B>(A, B) {
    with_computed(call.op.result, [&]<class R>(R) {
      if constexpr (kReal<R> && kReal<A>) {
        guarded<R, A, B>(call, [&](A a, B b) { return *meaning.template operator()<R>(a, b); });
      } else if constexpr (!kReal<R> && !kReal<A>) {
        strict<R, A, B>(call, [&](A a, B b) { return meaning.template operator()<R>(a, b); });
      }
    });
  });
}

void negate(const Call& call) {
  with_computed(call.op.elems[0], [&]<class A>(A) {
    if constexpr (kReal<A>) {
      guarded<double, double>(call, [](double a) { return -a; });
    } else {
      strict<int64_t, A>(call, [](A a) { return if_fits<int64_t>(-static_cast<Int128>(a)); });
    }
  });
}

// NaN stands in no relation to anything, not even in !=: unknown.
template <class Holds>
void relation(const Call& call, Holds holds) {
  with_pair(call.op.elems[0], call.op.elems[1], [&]<class A, class B>(A, B) {
    if constexpr (kReal<A>) {
      guarded<uint8_t, A, B>(
          call, [](A a, B b) { return !std::isunordered(a, b); },
          [&](A a, B b) -> uint8_t { return holds(a, b); });
    } else {
      guarded<uint8_t, A, B>(call, [&](A a, B b) -> uint8_t {
        return holds(static_cast<Int128>(a), static_cast<Int128>(b));
      });
    }
  });
}

bool all_known(const LaneValues& in, size_t count) {
  return in.valid == nullptr || bits::all_set(in.valid, count);
}

// Kleene: `deciding` is the truth value that settles the result whatever the other operand is.
void logic(const Call& call, bool deciding) {
  const size_t count = call.rows * call.lanes;
  if (all_known(call.in[0], count) && all_known(call.in[1], count)) {  // nearly always
    return guarded<uint8_t, uint8_t, uint8_t>(call, [&](uint8_t a, uint8_t b) -> uint8_t {
      return ((a != 0) == deciding || (b != 0) == deciding) == deciding;
    });
  }
  lifted<uint8_t, uint8_t, uint8_t>(
      call, [&](std::optional<uint8_t> a, std::optional<uint8_t> b) -> std::optional<uint8_t> {
        if (a && (*a != 0) == deciding) return deciding;
        if (b && (*b != 0) == deciding) return deciding;
        if (!a || !b) return std::nullopt;
        return !deciding;
      });
}

// Of a pair of truths, the row at hand and the one before: is `to` what it became? Three-valued:
// one that it did not become, or was already, settles it.
void change_to(const Call& call, bool to) {
  lifted<uint8_t, uint8_t, uint8_t>(
      call,
      [&](std::optional<uint8_t> now, std::optional<uint8_t> before) -> std::optional<uint8_t> {
        if (now && (*now != 0) != to) return false;
        if (before && (*before != 0) == to) return false;
        if (!now || !before) return std::nullopt;
        return true;
      });
}

template <class T>
void pick(const Call& call) {
  using Value = std::optional<T>;
  lifted<T, uint8_t, T, T>(call, [](std::optional<uint8_t> guard, Value yes, Value no) -> Value {
    if (!guard) return std::nullopt;
    return *guard != 0 ? yes : no;
  });
}

// How much an integer rose: exact, or none where a counter fell. A counter that fell may have
// wrapped at the width it is stored in; whether it did or was reset is the user's knowledge
// (PCP_COUNTER_WRAP).
template <class T>
std::optional<Int128> rise(const KernelOp& op, T now, T before) {
  const Int128 difference = static_cast<Int128>(now) - static_cast<Int128>(before);
  if (!op.counter || difference >= 0) return difference;
  if (op.payload == 0) return std::nullopt;
  return difference + (static_cast<Int128>(1) << (8 * sizeof(T)));
}

std::optional<double> rise(const KernelOp& op, double now, double before) {
  if (op.counter && now < before) return std::nullopt;
  return now - before;
}

double to_real(double rise) { return rise; }
// The magnitude is below 2^64, so one conversion rounds, and to nearest.
double to_real(Int128 rise) {
  return rise >= 0 ? static_cast<double>(static_cast<uint64_t>(rise))
                   : -static_cast<double>(static_cast<uint64_t>(-rise));
}

void delta(const Call& call) {
  with_number(call.op.elems[0], [&]<class A>(A) {
    if constexpr (std::is_same_v<A, double>) {
      strict<A, A, A>(call, [&](A now, A before) { return rise(call.op, now, before); });
    } else if constexpr (!kReal<A>) {
      strict<int64_t, A, A>(call, [&](A now, A before) {
        return rise(call.op, now, before).and_then(if_fits<int64_t>);
      });
    }
  });
}

// Of a counter that may not have wrapped.
template <class A>
void rate_of_counter(const Call& call) {
  guarded<double, A, A, double>(
      call, [](A now, A before, double seconds) { return !(now < before) && seconds != 0; },
      [](A now, A before, double seconds) {
        if constexpr (kReal<A>) {
          return (now - before) / seconds;
        } else {  // below 2^64, whatever the operands' signs
          return static_cast<double>(static_cast<uint64_t>(now) - static_cast<uint64_t>(before)) /
                 seconds;
        }
      });
}

void rate(const Call& call) {
  with_number(call.op.elems[0], [&]<class A>(A) {
    if constexpr (std::is_same_v<A, double> || !kReal<A>) {
      if (call.op.counter && call.op.payload == 0) return rate_of_counter<A>(call);
    }
    if constexpr (std::is_same_v<A, double> || !kReal<A>) {
      strict<double, A, A, double>(call,
                                   [&](A now, A before, double seconds) -> std::optional<double> {
                                     const auto change = rise(call.op, now, before);
                                     if (!change || seconds == 0) return std::nullopt;
                                     return to_real(*change) / seconds;
                                   });
    }
  });
}

void scale_up(const Call& call) {
  with_computed(call.op.result, [&]<class T>(T) {
    const T factor = std::bit_cast<T>(call.op.payload);
    strict<T, T>(call, [&](T a) { return kMul.operator()<T>(a, factor); });
  });
}

template <class To>
void convert(const Call& call) {
  with_number(call.op.elems[0], [&]<class A>(A) {
    if constexpr (kReal<To> || !kReal<A>) {
      guarded<To, A>(call, [](A a) { return static_cast<To>(a); });
    } else {
      strict<To, A>(call, [](A a) -> std::optional<To> { return static_cast<To>(a); });
    }
  });
}

void copy(const Call& call) {
  with_any(call.op.result, [&]<class T>(T) { guarded<T, T>(call, [](T a) { return a; }); });
}

// Of a pair as past operators have it.
void before(const Call& call) {
  with_any(call.op.result, [&]<class T>(T) {
    using Value = std::optional<T>;
    lifted<T, T, T>(call, [](Value, Value then) -> Value { return then; });
  });
}

void count(const Call& call) {
  if (call.op.elems[0] == Elem::truth) {
    return by_row<int64_t, uint8_t>(call, [](auto row) -> std::optional<int64_t> {
      return std::count_if(row.begin(), row.end(), [](uint8_t holds) { return holds != 0; });
    });
  }
  with_any(call.op.elems[0], [&]<class A>(A) {
    by_row<int64_t, A>(
        call, [](auto row) -> std::optional<int64_t> { return static_cast<int64_t>(row.size()); });
  });
}

// Integers exactly: 2^24 lanes of 64 bits fit 128. Reals from the first element on, in the order of
// the roster; starting with the element and not with 0 keeps the -0 of a sum of -0 alone.
template <class T>
auto exact_sum(std::span<const T> row) {
  using Total = std::conditional_t<kReal<T>, T, Int128>;
  Total total = static_cast<Total>(row[0]);
  for (const T element : row.subspan(1)) total += static_cast<Total>(element);
  return total;
}

void sum(const Call& call) {
  with_computed(call.op.result, [&]<class T>(T) {
    by_row<T, T>(call, [](std::span<const T> row) -> std::optional<T> {
      if (row.empty()) return std::nullopt;
      const auto total = exact_sum(row);
      if constexpr (kReal<T>) return total;
      return if_fits<T>(static_cast<Int128>(total));
    });
  });
}

void avg(const Call& call) {
  with_computed(call.op.elems[0], [&]<class A>(A) {
    by_row<double, A>(call, [](std::span<const A> row) -> std::optional<double> {
      if (row.empty()) return std::nullopt;
      return static_cast<double>(exact_sum(row)) / static_cast<double>(row.size());
    });
  });
}

// The first of equals stays, so of -0 and 0 it is the one that comes first. One NaN makes the
// result NaN.
template <class Better>
void extreme(const Call& call, Better better) {
  with_computed(call.op.result, [&]<class T>(T) {
    by_row<T, T>(call, [&](std::span<const T> row) -> std::optional<T> {
      if (row.empty()) return std::nullopt;
      T best = row[0];
      for (const T element : row) {
        if (element != element) return element;
        if (better(element, best)) best = element;
      }
      return best;
    });
  });
}

// Three-valued: what is unknown may be either, and the result is known where that does not matter.
// `need`: how many of so many lanes must be true.
template <class Need>
void judge(const Call& call, Need need) {
  put_all<uint8_t>(call, call.rows, [&](size_t row) {
    uint64_t are_true = 0, may_be = 0;
    for (size_t i = row * call.lanes; i < (row + 1) * call.lanes; ++i) {
      const auto holds = lane<uint8_t>(call.in[0], i);
      are_true += holds.value_or(0) != 0 ? 1 : 0;
      may_be += holds.value_or(1) != 0 ? 1 : 0;
    }
    std::optional<uint8_t> result;
    if (call.lanes != 0 && are_true >= need(call.lanes)) result = uint8_t{1};
    if (call.lanes != 0 && may_be < need(call.lanes)) result = uint8_t{0};
    return result;
  });
}

}  // namespace

void run_operator(const Call& call) {
  using std::optional;
  switch (call.op.op) {
    case Op::to_i64: return convert<int64_t>(call);
    case Op::to_f64: return convert<double>(call);
    case Op::add: return arithmetic(call, kAdd);
    case Op::sub: return arithmetic(call, kSub);
    case Op::mul: return arithmetic(call, kMul);
    case Op::div:
      return guarded<double, double, double>(call, [](double a, double b) { return a / b; });
    case Op::div_or_0:
      return guarded<double, double, double>(call,
                                             [](double a, double b) { return a == 0 ? 0 : a / b; });
    case Op::neg: return negate(call);
    case Op::lt: return relation(call, std::less{});
    case Op::le: return relation(call, std::less_equal{});
    case Op::eq: return relation(call, std::equal_to{});
    case Op::ge: return relation(call, std::greater_equal{});
    case Op::gt: return relation(call, std::greater{});
    case Op::ne: return relation(call, std::not_equal_to{});
    case Op::and_: return logic(call, false);
    case Op::or_: return logic(call, true);
    case Op::not_:
      return guarded<uint8_t, uint8_t>(call, [](uint8_t a) -> uint8_t { return a == 0; });
    case Op::pick: return with_any(call.op.result, [&]<class T>(T) { pick<T>(call); });
    case Op::delta: return delta(call);
    case Op::rate: return rate(call);
    case Op::rising: return change_to(call, true);
    case Op::falling: return change_to(call, false);
    case Op::earlier: return before(call);
    case Op::instant: return copy(call);
    case Op::scale_up: return scale_up(call);
    case Op::scale_down: {
      const double divisor = std::bit_cast<double>(call.op.payload);
      return guarded<double, double>(call, [&](double a) { return a / divisor; });
    }
    case Op::count: return count(call);
    case Op::sum: return sum(call);
    case Op::avg: return avg(call);
    case Op::min: return extreme(call, std::less{});
    case Op::max: return extreme(call, std::greater{});
    case Op::some: return judge(call, [](uint64_t) { return uint64_t{1}; });
    case Op::all: return judge(call, [](uint64_t lanes) { return lanes; });
    case Op::at_least:
      return judge(call, [&](uint64_t lanes) { return (call.op.payload * lanes + 99) / 100; });
    case Op::constant:
    case Op::spread:
    case Op::fetch:
    case Op::novalue:
    case Op::derived:
    case Op::select:
    case Op::scalar:
    case Op::matching:
    case Op::mismatching:
    case Op::known:
    case Op::proven:
    case Op::meet:
    case Op::hosts:
    case Op::encode:
    case Op::decode:
    case Op::equals: break;
  }
  check(false, "not an operator of kernels");
}

}  // namespace pmjit::interp
