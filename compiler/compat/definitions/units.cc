// What units do in + - * /. Odd on purpose: a factor counts once whatever the power, of two signs
// that differ the right one decides (spec derived-metrics.md §11.3, §17 defects 8 to 10), factors
// wrap at 32 bits, dimensions at 4 and extra units at 5, as fields of a pmUnits do.
#include <limits>

#include "compiler/compat/definitions/bind.h"

namespace pmjit::pcp {

namespace {

// One dimension of both operands and of the result.
struct Dimension {
  int left_dim, right_dim;
  int left_scale, right_scale;
  bool right_dim_decides;  // which factor of the left operand is taken
};

uint32_t step_factor(std::string_view dimension, int scale) {
  if (dimension == "count") return 10;
  if (dimension == "space") return 1024;
  return scale < kTimeScaleSec ? 1000 : 60;
}

// From the smaller scale up to the larger; of all of them 64 bits hold it.
uint64_t factor_between(std::string_view dimension, int low, int high) {
  uint64_t factor = 1;
  for (int scale = low; scale < high; ++scale) factor *= step_factor(dimension, scale);
  return factor;
}

void multiply(Factor& of, int32_t& into, uint64_t factor) {
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int32_t>::max());
  of.wraps = of.wraps || factor > kMax / static_cast<uint64_t>(into);
  into = static_cast<int32_t>(static_cast<uint64_t>(into) * factor);
}

// True: converted. The result takes the larger scale only where that is the right operand's.
template <class Scale>
bool convert(std::string_view name, const Dimension& d, PcpNode& left, PcpNode& right,
             Scale& result) {
  if (d.left_dim == 0 || d.right_dim == 0 || d.left_scale == d.right_scale) return false;
  if (d.left_scale > d.right_scale) {
    multiply(right.factor, d.right_dim > 0 ? right.factor.div : right.factor.mul,
             factor_between(name, d.right_scale, d.left_scale));
  } else {
    const int deciding = d.right_dim_decides ? d.right_dim : d.left_dim;
    multiply(left.factor, deciding > 0 ? left.factor.div : left.factor.mul,
             factor_between(name, d.left_scale, d.right_scale));
    result = static_cast<Scale>(d.right_scale);
  }
  return true;
}

int8_t of_4_bits(int dim) { return static_cast<int8_t>(((dim + 8) & 15) - 8); }

int8_t of_5_bits(int unit) { return static_cast<int8_t>(((unit + 16) & 31) - 16); }

int8_t combined(Operator op, int8_t base, int8_t left, int8_t right) {
  if (op == Operator::mul) return of_4_bits(left + right);
  if (op == Operator::div) return of_4_bits(left - right);
  return base;
}

template <class Scale>
void settle(int8_t dim, int8_t left_dim, Scale right_scale, Scale& scale) {
  if (dim == 0) {
    scale = 0;
  } else if (left_dim == 0) {
    scale = right_scale;
  }
}

// Checks have seen to it that two extra units are alike, and none of a product.
ExtraUnit combined_extra(Operator op, ExtraUnit base, ExtraUnit left, ExtraUnit right) {
  if (op != Operator::mul && op != Operator::div) return base;
  if (right.none()) return left;
  if (op == Operator::mul) return right;
  if (!left.none()) return left == right ? ExtraUnit{} : left;
  return {.unit = of_5_bits(-right.unit), .scale = right.scale};
}

}  // namespace

bool combine_units(Operator op, PcpNode& left, PcpNode& right, const Units& base, Units& result) {
  const Units l = left.desc.units, r = right.desc.units;
  result = base;
  bool converted = convert("count", {l.dim_count, r.dim_count, l.scale_count, r.scale_count, false},
                           left, right, result.scale_count);
  converted |= convert("time", {l.dim_time, r.dim_time, l.scale_time, r.scale_time, true}, left,
                       right, result.scale_time);
  converted |= convert("space", {l.dim_space, r.dim_space, l.scale_space, r.scale_space, true},
                       left, right, result.scale_space);
  result.dim_space = combined(op, base.dim_space, l.dim_space, r.dim_space);
  result.dim_time = combined(op, base.dim_time, l.dim_time, r.dim_time);
  result.dim_count = combined(op, base.dim_count, l.dim_count, r.dim_count);
  result.extra = combined_extra(op, base.extra, l.extra, r.extra);
  if (result.extra.none()) result.extra.scale = 0;
  settle(result.dim_space, l.dim_space, r.scale_space, result.scale_space);
  settle(result.dim_time, l.dim_time, r.scale_time, result.scale_time);
  settle(result.dim_count, l.dim_count, r.scale_count, result.scale_count);
  return converted;
}

}  // namespace pmjit::pcp
