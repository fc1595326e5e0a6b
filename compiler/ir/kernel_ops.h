// kernel_ops(): a KernelSpec as both evaluators read it: operators in order, each operand resolved
// to where its lanes are. Only this is decided here; what an operator does with its operands is
// theirs.
#pragma once

#include <array>
#include <vector>

#include "compiler/ir/kernel_spec.h"

namespace pmjit {

inline constexpr size_t kOperandsMax = 3;  // arity, or what a past operator reads

struct Place {
  enum class Kind : uint8_t {
    earlier,
    constant,
    input
  };  // index into spec: nodes, constants, inputs
  Kind kind = Kind::earlier;
  uint32_t index = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct KernelOp {
  Op op = Op::constant;
  Elem result = Elem::f64;
  uint8_t operands = 0;  // of a past operator: now, before and, for rate, seconds
  std::array<Elem, kOperandsMax> elems{};
  std::array<Place, kOperandsMax> places{};
  uint64_t payload = 0;
  bool counter = false;  // past operators: the operand counts up
  friend bool operator==(const KernelOp&, const KernelOp&) = default;
};

// One a node of spec.nodes. check(): the spec is well formed.
std::vector<KernelOp> kernel_ops(const Ir& ir, const KernelSpec& spec);

}  // namespace pmjit
