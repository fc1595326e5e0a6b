// KernelShape: what two kernels (KernelSpec) have in common that are one: operators, where each
// operand comes from, elements. Which nodes they stand for and what their constants are is not part
// of it: constants are arguments of a call. Payloads (factors of scales, whether counters wrap) are
// part of an operator.
//
//   a + 2 * b,  c + 3 * d    one shape, where the elements agree
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/ir/kernel_ops.h"

namespace pmjit {

struct KernelShape {
  std::vector<KernelOp> ops;
  std::vector<Elem> inputs, constants;

  [[nodiscard]] Elem result() const { return ops.back().result; }
  [[nodiscard]] bool reduces() const { return info(ops[0].op).shape == Shape::reduce; }
  friend bool operator==(const KernelShape&, const KernelShape&) = default;
};

// `ir` need not outlive the result. check(): the spec is well formed.
KernelShape shape_of(const Ir& ir, const KernelSpec& spec);

struct KernelShapeHash {
  size_t operator()(const KernelShape& shape) const;
};

}  // namespace pmjit
