#include "compiler/ir/ir.h"

#include <algorithm>

namespace pmjit {

namespace {

// and_, or_, not_ end in _ because C++ reserves the plain words.
constexpr std::string_view plain(std::string_view name) {
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

constexpr OpInfo kOps[] = {
#define OP(name, arity, shape, type, units, absence, memory, cost)           \
  {plain(#name),     arity,  Shape::shape, TypeRule::type, UnitsRule::units, \
   Absence::absence, memory, cost},
#include "compiler/ir/ops.def"
#undef OP
};

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<size_t>(op)]; }
std::span<const OpInfo> all_ops() { return kOps; }

Payload payload_of(Op op) {
  switch (op) {
    case Op::constant:
    case Op::spread: return Payload::number;
    case Op::fetch: return Payload::operand;
    case Op::derived:
    case Op::proven: return Payload::derived;
    case Op::equals:
    case Op::select:
    case Op::matching:
    case Op::mismatching: return Payload::text;
    case Op::scale_up: return Payload::factor;
    case Op::scale_down: return Payload::divisor;
    case Op::delta:
    case Op::rate: return Payload::wrap;
    case Op::at_least: return Payload::share;
    case Op::hosts: return Payload::arity;
    default: return Payload::none;
  }
}

Ir Ir::without_nodes() const {
  Ir out;
  out.types = types;
  out.operands = operands;
  out.texts = texts;
  out.derived = derived;
  return out;
}

// An expression has a handful of types, so looking at each is cheaper than a map.
TypeId Ir::intern(const Type& type) {
  const auto found = std::find(types.begin(), types.end(), type);
  if (found != types.end()) return TypeId{{static_cast<uint32_t>(found - types.begin())}};
  return types.add(type);
}

NodeId Ir::add(Node node, std::span<const NodeId> operands_of_node) {
  // The operands may be a part of `args` itself (args_of), which grows here.
  const std::vector<NodeId> copy(operands_of_node.begin(), operands_of_node.end());
  node.first_arg = static_cast<uint32_t>(args.size());
  args.insert(args.end(), copy.begin(), copy.end());
  return nodes.add(node);
}

}  // namespace pmjit
