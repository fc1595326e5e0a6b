// Call: one operator over some rows × lanes, as operators.cc sees it; and the loops that every
// operator runs in. An operator's body is a function of single values that says what it means:
//
//   strict<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) -> std::optional<int64_t> { …
//   });
//
// strict: a lane without one of its operands has no result, the body is not asked. lifted: the body
// sees which operands are there (three-valued logic). by_row: one result from the lanes of a row,
// if all are there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
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

template <class R>
void put(const Call& call, size_t i, std::optional<R> result) {
  static_cast<R*>(call.out)[i] = result.value_or(R{});  // nobody reads a lane that is not valid
  if (result) bits::set(call.out_valid, i);
}

template <class R, class... A, class Body>
void lifted(const Call& call, Body body) {
  const size_t count = call.rows * call.lanes;
  bits::fill(call.out_valid, count, false);
  [&]<size_t... k>(std::index_sequence<k...>) {
    for (size_t i = 0; i < count; ++i) put<R>(call, i, body(lane<A>(call.in[k], i)...));
  }(std::index_sequence_for<A...>{});
}

template <class R, class... A, class Body>
void strict(const Call& call, Body body) {
  lifted<R, A...>(call, [&](std::optional<A>... in) -> std::optional<R> {
    if (!(in.has_value() && ...)) return std::nullopt;
    return body(*in...);
  });
}

template <class R, class A, class Body>
void by_row(const Call& call, Body body) {
  bits::fill(call.out_valid, call.rows, false);
  const A* values = static_cast<const A*>(call.in[0].values);
  for (size_t row = 0; row < call.rows; ++row) {
    const size_t first = row * call.lanes;
    bool all_there = true;
    for (size_t i = first; i < first + call.lanes; ++i) {
      all_there = all_there && lane<A>(call.in[0], i).has_value();
    }
    std::optional<R> result;
    if (all_there) result = body(std::span<const A>(values + first, call.lanes));
    put<R>(call, row, result);
  }
}

void run_operator(const Call& call);  // operators.cc

}  // namespace pmjit::interp
