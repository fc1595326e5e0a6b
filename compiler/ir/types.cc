#include "compiler/ir/types.h"

#include <algorithm>

namespace pmjit {

namespace {

using Elems = std::span<const Elem>;

bool all_are(Elems elems, Elem wanted) {
  return std::all_of(elems.begin(), elems.end(), [&](Elem e) { return e == wanted; });
}

bool all_integers(Elems elems) { return std::all_of(elems.begin(), elems.end(), is_integer64); }

bool stored_integer(Elem e) { return is_number(e) && !is_float(e); }

std::optional<Elem> when(bool legal, Elem result) {
  return legal ? std::optional(result) : std::nullopt;
}

// Two unsigned stay unsigned where the result cannot be negative; mixed signs need the sign.
std::optional<Elem> arith(Elems in, Elem of_unsigned) {
  if (all_are(in, Elem::f64)) return Elem::f64;
  if (all_are(in, Elem::u64)) return of_unsigned;
  return when(all_integers(in), Elem::i64);
}

std::optional<Elem> same(Shape shape, Elem in) {
  const bool moves_values_only = shape == Shape::cast || shape == Shape::roster ||
                                 shape == Shape::filter || shape == Shape::meet ||
                                 shape == Shape::hosts;
  const bool keeps = shape == Shape::past && (is_number(in) || in == Elem::truth);
  return when(moves_values_only || keeps || is_computed(in), in);
}

std::optional<Elem> pick(Elems in) {
  const bool arm = is_computed(in[1]) || in[1] == Elem::truth;
  return when(in[0] == Elem::truth && in[1] == in[2] && arm, in[1]);
}

void join_axis(uint32_t& into, uint32_t axis, bool& differ) {
  if (axis == kNullId) return;
  differ = differ || (into != kNullId && into != axis);
  into = axis;
}

}  // namespace

std::optional<Elem> result_elem(Op op, Elems in) {
  const OpInfo& row = info(op);
  if (in.empty() ? row.arity != 0 : row.arity != kAnyArity && in.size() != row.arity) {
    return std::nullopt;
  }
  switch (row.type) {
    case TypeRule::own: return std::nullopt;
    case TypeRule::to_i64: return when(in[0] == Elem::i32 || in[0] == Elem::u32, Elem::i64);
    case TypeRule::to_f64: return when(is_number(in[0]) && in[0] != Elem::f64, Elem::f64);
    case TypeRule::to_code: return when(in[0] == Elem::text, Elem::i64);
    case TypeRule::to_truth: return when(in[0] == Elem::text, Elem::truth);
    case TypeRule::to_text: return when(in[0] == Elem::i64, Elem::text);
    case TypeRule::arith: return arith(in, Elem::u64);
    case TypeRule::minus:
    case TypeRule::negate: return arith(in, Elem::i64);
    case TypeRule::real: return when(all_are(in, Elem::f64), Elem::f64);
    case TypeRule::mean: return when(is_computed(in[0]), Elem::f64);
    case TypeRule::relation: return when(all_integers(in) || all_are(in, Elem::f64), Elem::truth);
    case TypeRule::logic: return when(all_are(in, Elem::truth), Elem::truth);
    case TypeRule::pick: return pick(in);
    case TypeRule::change:
      if (in[0] == Elem::f64) return Elem::f64;
      return when(stored_integer(in[0]), Elem::i64);
    case TypeRule::rate: return when(stored_integer(in[0]) || in[0] == Elem::f64, Elem::f64);
    case TypeRule::same: return all_are(in, in[0]) ? same(row.shape, in[0]) : std::nullopt;
    case TypeRule::count: return when(in[0] != Elem::bytes, Elem::i64);
  }
  return std::nullopt;
}

std::optional<Axes> result_axes(Op op, std::span<const Axes> operands) {
  Axes out;
  bool differ = false;
  for (const Axes& axes : operands) {
    join_axis(out.host_set, axes.host_set, differ);
    join_axis(out.domain, axes.domain, differ);
    join_axis(out.window, axes.window, differ);
  }
  if (differ) return std::nullopt;
  const Shape shape = info(op).shape;
  if (shape == Shape::hosts) out.host_set = kAllHosts;
  // Over hosts where there are some; then instances stay.
  if (shape == Shape::reduce && out.host_set != kNullId) {
    out.host_set = kNullId;
  } else if (shape == Shape::reduce || shape == Shape::roster) {
    out.domain = kNullId;
  }
  return out;
}

}  // namespace pmjit
