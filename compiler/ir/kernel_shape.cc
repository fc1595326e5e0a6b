#include "compiler/ir/kernel_shape.h"

#include "runtime/base/result.h"

namespace pmjit {

KernelShape shape_of(const Ir& ir, const KernelSpec& spec) {
  KernelShape out{.ops = kernel_ops(ir, spec), .inputs = {}, .constants = {}};
  for (const KernelInput& input : spec.inputs) out.inputs.push_back(input.elem);
  for (const NodeId id : spec.constants) out.constants.push_back(ir.type_of(id).elem);
  check(
      !out.reduces() || (out.inputs.size() == 1 && out.ops[0].places[0].kind == Place::Kind::input),
      "what is reduced is an input");
  return out;
}

size_t KernelShapeHash::operator()(const KernelShape& shape) const {
  size_t hash = 0;
  const auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15 + (hash >> 29); };
  for (const KernelOp& op : shape.ops) {
    mix(static_cast<uint64_t>(op.op) << 8 | static_cast<uint64_t>(op.result));
    for (size_t k = 0; k < op.operands; ++k) {
      mix(static_cast<uint64_t>(op.elems[k]) << 40 |
          static_cast<uint64_t>(op.places[k].kind) << 32 | op.places[k].index);
    }
    mix(op.payload);
  }
  return hash;
}

}  // namespace pmjit
