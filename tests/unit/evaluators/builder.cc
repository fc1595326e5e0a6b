#include "tests/unit/evaluators/builder.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/base/result.h"

namespace pmjit::tests {

namespace {

constexpr Elem kElems[] = {
#define ELEM(name, ...) Elem::name,
#include "runtime/model/elem.def"
#undef ELEM
};

void add_once(std::vector<KernelInput>& inputs, const KernelInput& input) {
  if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
}

}  // namespace

bool is_kernel_op(Op op) { return in_kernels(info(op).shape); }

std::vector<Elems> legal_elems(Op op) {
  std::vector<Elems> all = {{}};
  for (size_t k = 0; k < info(op).arity; ++k) {
    std::vector<Elems> longer;
    for (const Elems& shorter : all) {
      for (const Elem elem : kElems) {
        longer.push_back(shorter);
        longer.back().push_back(elem);
      }
    }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Elems& elems) { return !result_elem(op, elems); });
  return all;
}

std::vector<uint64_t> payloads(Op op, Elem result) {
  const std::vector<uint64_t> divisors = {bits_of(1000.0), bits_of(3.0), bits_of(1e-300)};
  switch (payload_of(op)) {
    case Payload::wrap: return {0, 1};
    case Payload::divisor: return divisors;
    case Payload::factor:
      if (result == Elem::f64) return {bits_of(1024.0), bits_of(0.1), bits_of(1e300)};
      return {1, 1024, 1'000'000'007, (uint64_t{1} << 63) - 1};
    default: return {0};
  }
}

NodeId Builder::leaf(Elem elem, Semantics semantics) {
  if (elem == Elem::truth) return constant(elem, 1);
  const Desc desc{.pmid = ir.operands.size(), .pm_type = pm_type_of(elem), .semantics = semantics};
  const OperandId operand = ir.operands.add({fmt::format("m{}", ir.operands.size()), desc});
  const TypeId type_id = ir.intern({.elem = elem, .semantics = semantics});
  return ir.add({.op = Op::fetch, .type_id = type_id, .payload = operand.index}, {});
}

NodeId Builder::constant(Elem elem, uint64_t bits) {
  const TypeId type_id = ir.intern({.elem = elem, .semantics = Semantics::discrete});
  return ir.add({.op = Op::constant, .type_id = type_id, .payload = bits}, {});
}

NodeId Builder::add(Op op, std::span<const NodeId> args, uint64_t payload) {
  Elems elems;
  for (const NodeId arg : args) elems.push_back(ir.type_of(arg).elem);
  const auto elem = result_elem(op, elems);
  check(elem.has_value(), "a node of legal elements");
  return ir.add({.op = op, .type_id = ir.intern({.elem = *elem}), .payload = payload}, args);
}

NodeId Builder::add(Op op, std::initializer_list<NodeId> args, uint64_t payload) {
  return add(op, std::span<const NodeId>(args.begin(), args.size()), payload);
}

void add_input(const Ir& ir, NodeId node, KernelSpec& spec) {
  add_once(spec.inputs, {KernelInput::Kind::now, node, ir.type_of(node).elem});
}

void add_past_inputs(const Ir& ir, NodeId node, KernelSpec& spec) {
  const OpInfo& row = info(ir.nodes[node].op);
  if (row.shape != Shape::past) return;
  const NodeId operand = ir.args_of(node)[0];
  add_once(spec.inputs, {KernelInput::Kind::before, operand, ir.type_of(operand).elem});
  if (row.type == TypeRule::rate) {
    add_once(spec.inputs, {KernelInput::Kind::seconds, node, Elem::f64});
  }
}

}  // namespace pmjit::tests
