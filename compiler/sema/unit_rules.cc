#include "compiler/sema/unit_rules.h"

#include <algorithm>

namespace pmjit {

namespace {

enum class Prefer : uint8_t { larger, smaller };

template <class T>
T better(T a, T b, Prefer prefer) {
  return prefer == Prefer::larger ? std::max(a, b) : std::min(a, b);
}

// The scale of one dimension for both operands: only where both have it is there a choice.
template <class Dim, class Scale>
Scale common_scale(Dim dim_a, Scale a, Dim dim_b, Scale b, Prefer prefer) {
  if (dim_a != 0 && dim_b != 0) return better(a, b, prefer);
  return dim_a != 0 ? a : (dim_b != 0 ? b : Scale{});
}

// Temperatures meet in the scale with the lower number: C, then F. Of the others that is the larger
// scale.
uint8_t common_extra_scale(ExtraUnit a, ExtraUnit b, Prefer prefer) {
  if (a.none() || b.none()) return a.none() ? b.scale : a.scale;
  const bool lower = prefer == Prefer::larger || a.unit == kTemperature;
  return lower ? std::min(a.scale, b.scale) : std::max(a.scale, b.scale);
}

Units with_common_scales(Units dims, Units a, Units b, Prefer prefer) {
  dims.scale_space = common_scale(a.dim_space, a.scale_space, b.dim_space, b.scale_space, prefer);
  dims.scale_time = common_scale(a.dim_time, a.scale_time, b.dim_time, b.scale_time, prefer);
  dims.scale_count = common_scale(a.dim_count, a.scale_count, b.dim_count, b.scale_count, prefer);
  if (!dims.extra.none()) dims.extra.scale = common_extra_scale(a.extra, b.extra, prefer);
  return dims;
}

std::optional<Units> together(Units a, Units b, Prefer prefer) {
  if (!same_dimensions(a, b)) return std::nullopt;
  Units result = a.dim_count != 0 ? a : b;  // count and none: the label is count
  return with_common_scales(result, a, b, prefer);
}

Units drop_idle_scales(Units u) {
  if (u.dim_space == 0) u.scale_space = 0;
  if (u.dim_time == 0) u.scale_time = 0;
  if (u.dim_count == 0) u.scale_count = 0;
  if (u.extra.none()) u.extra.scale = 0;
  return u;
}

bool in_range(int dim) { return dim >= -8 && dim <= 7; }

std::optional<ProductUnits> combine(Units a, Units b, int sign) {
  const int space = a.dim_space + sign * b.dim_space;
  const int time = a.dim_time + sign * b.dim_time;
  const int count = a.dim_count + sign * b.dim_count;
  if (!in_range(space) || !in_range(time) || !in_range(count)) return std::nullopt;
  const int extra = a.extra.unit + sign * b.extra.unit;
  if (!a.extra.none() && !b.extra.none() && extra != 0) return std::nullopt;
  ProductUnits out;
  out.left = drop_idle_scales(with_common_scales(a, a, b, Prefer::larger));
  out.right = drop_idle_scales(with_common_scales(b, a, b, Prefer::larger));
  out.result = with_common_scales(a, a, b, Prefer::larger);
  out.result.extra = {.unit = static_cast<int8_t>(extra),
                      .scale = common_extra_scale(a.extra, b.extra, Prefer::larger)};
  out.result.dim_space = static_cast<int8_t>(space);
  out.result.dim_time = static_cast<int8_t>(time);
  out.result.dim_count = static_cast<int8_t>(count);
  out.result = drop_idle_scales(out.result);
  return out;
}

}  // namespace

std::optional<Units> sum_units(Units a, Units b) { return together(a, b, Prefer::larger); }
std::optional<Units> comparison_units(Units a, Units b) { return together(a, b, Prefer::smaller); }
std::optional<ProductUnits> product_units(Units a, Units b) { return combine(a, b, 1); }
std::optional<ProductUnits> quotient_units(Units a, Units b) { return combine(a, b, -1); }

std::optional<Units> rate_units(Units operand) {
  if (!in_range(operand.dim_time - 1)) return std::nullopt;
  operand.dim_time = static_cast<int8_t>(operand.dim_time - 1);
  operand.scale_time = operand.dim_time != 0 ? kTimeScaleSec : uint8_t{0};
  return operand;
}

Elem scaled_elem(Elem elem, Units from, Units to) {
  if (from == to) return elem;
  const auto factor = scale_factor(from, to);
  const bool whole = factor && factor->den == 1 && factor->num <= uint64_t{INT64_MAX};
  return whole ? elem : Elem::f64;
}

}  // namespace pmjit
