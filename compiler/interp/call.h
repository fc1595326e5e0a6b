// Call: one operator over some rows × lanes, as operators.cc sees it; and the loops that every
// operator runs in. An operator's body is a function of single values that says what it means:
//
//   strict<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) -> std::optional<int64_t> { …
//   });
//
// strict: a lane without one of its operands has no result, the body is not asked. guarded: the
// same, where a result may be computed of any values at all. lifted: the body sees which operands
// are there (three-valued logic). by_row: one result from the lanes of a row, if all are there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "compiler/ir/kernel_ops.h"
#include "runtime/base/bits.h"

namespace pmjit::interp {

struct LaneValues {
  const void* values = nullptr;
  const uint64_t* valid = nullptr;  // null: all
};

struct Call {
  const KernelOp& op;
  std::array<LaneValues, kOperandsMax> in;
  size_t rows, lanes;
  void* out;
  uint64_t* out_valid;
};

template <class T>
std::optional<T> lane(const LaneValues& in, size_t i) {
  if (in.valid != nullptr && !bits::get(in.valid, i)) return std::nullopt;
  return static_cast<const T*>(in.values)[i];
}

// result_of(i) is lane i of the result, of `count`. Validity is written word by word, a bit for
// each lane; bits behind the last lane are zero. Nobody reads the value of a lane that is not
// valid.
template <class R, class ResultOf>
void put_all(const Call& call, size_t count, ResultOf result_of) {
  R* const out = static_cast<R*>(call.out);
  for (size_t first = 0; first < count; first += 64) {
    const size_t lanes = std::min<size_t>(64, count - first);
    uint64_t valid = 0;
    for (size_t bit = 0; bit < lanes; ++bit) {
      const std::optional<R> result = result_of(first + bit);
      out[first + bit] = result.value_or(R{});
      valid |= uint64_t{result.has_value()} << bit;
    }
    call.out_valid[first / 64] = valid;
  }
}

template <class R, class... A, class Body>
void lifted(const Call& call, Body body) {
  [&]<size_t... k>(std::index_sequence<k...>) {
    const size_t count = call.rows * call.lanes;
    if (((call.in[k].valid == nullptr) && ...)) {  // nearly always
      put_all<R>(call, count, [&](size_t i) {
        return body(std::optional<A>(static_cast<const A*>(call.in[k].values)[i])...);
      });
    } else {
      put_all<R>(call, count, [&](size_t i) { return body(lane<A>(call.in[k], i)...); });
    }
  }(std::index_sequence_for<A...>{});
}

template <class R, class... A, class Body>
void strict(const Call& call, Body body) {
  lifted<R, A...>(call, [&](std::optional<A>... in) -> std::optional<R> {
    if (!(in.has_value() && ...)) return std::nullopt;
    return body(*in...);
  });
}

// `has_result` says of operands whether there is a result, `result_of` what it is. Both are asked
// of all lanes, 64 at a time and without a branch, so the compiler can make vectors of them.
template <class R, class... A, class HasResult, class ResultOf>
void guarded(const Call& call, HasResult has_result, ResultOf result_of) {
  [&]<size_t... k>(std::index_sequence<k...>) {
    const size_t count = call.rows * call.lanes;
    for (size_t first = 0; first < count; first += 64) {
      const size_t lanes = std::min<size_t>(64, count - first);
      const std::tuple in{static_cast<const A*>(call.in[k].values) + first...};
      R* const __restrict out = static_cast<R*>(call.out) + first;
      uint64_t lacking = 0;
      for (size_t i = 0; i < lanes; ++i) lacking |= uint64_t{!has_result(std::get<k>(in)[i]...)};
      for (size_t i = 0; i < lanes; ++i) out[i] = result_of(std::get<k>(in)[i]...);
      uint64_t valid = bits::tail_mask(lanes);
      ((valid &= call.in[k].valid == nullptr ? valid : call.in[k].valid[first / 64]), ...);
      for (size_t i = 0; i < lanes && lacking != 0; ++i) {
        if (!has_result(std::get<k>(in)[i]...)) valid &= ~(uint64_t{1} << i);
      }
      call.out_valid[first / 64] = valid;
      for (size_t i = 0; i < lanes && valid != bits::tail_mask(lanes); ++i) {
        if (!bits::get(&valid, i)) out[i] = R{};
      }
    }
  }(std::index_sequence_for<A...>{});
}
// The same where there always is one.
template <class R, class... A, class ResultOf>
void guarded(const Call& call, ResultOf result_of) {
  guarded<R, A...>(call, [](A...) { return true; }, result_of);
}

template <class R, class A, class Body>
void by_row(const Call& call, Body body) {
  const A* values = static_cast<const A*>(call.in[0].values);
  put_all<R>(call, call.rows, [&](size_t row) -> std::optional<R> {
    const size_t first = row * call.lanes;
    for (size_t i = first; i < first + call.lanes; ++i) {
      if (!lane<A>(call.in[0], i)) return std::nullopt;
    }
    return body(std::span<const A>(values + first, call.lanes));
  });
}

void run_operator(const Call& call);  // operators.cc

}  // namespace pmjit::interp
