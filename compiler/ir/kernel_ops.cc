#include "compiler/ir/kernel_ops.h"

#include <algorithm>

#include "compiler/ir/types.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

class Resolver {
 public:
  Resolver(const Ir& ir, const KernelSpec& spec) : ir_(ir), spec_(spec) {}

  KernelOp resolve(size_t at) const {
    const Node& node = ir_.nodes[spec_.nodes[at]];
    KernelOp out{.op = node.op, .result = ir_.types[node.type_id].elem, .payload = node.payload};
    const Shape shape = info(node.op).shape;
    check(shape == Shape::lanes || shape == Shape::cast || shape == Shape::past ||
              (shape == Shape::reduce && spec_.nodes.size() == 1),
          "operator of a kernel");
    for (const NodeId arg : ir_.args_of(spec_.nodes[at])) {
      add(out, now(arg, at), ir_.type_of(arg).elem);
    }
    if (shape == Shape::past) add_past(out, at);
    check_elems(out);
    return out;
  }

 private:
  static void add(KernelOp& op, Place place, Elem elem) {
    op.places[op.operands] = place;
    op.elems[op.operands++] = elem;
  }

  void add_past(KernelOp& out, size_t at) const {
    const NodeId operand = ir_.args_of(spec_.nodes[at])[0];
    const Type& type = ir_.type_of(operand);
    out.counter = type.semantics == Semantics::counter;
    add(out, input({KernelInput::Kind::before, operand, type.elem}), type.elem);
    if (info(out.op).type == TypeRule::rate) {
      add(out, input({KernelInput::Kind::seconds, spec_.nodes[at], Elem::f64}), Elem::f64);
    }
  }

  void check_elems(const KernelOp& op) const {
    const auto elems = std::span(op.elems).first(info(op.op).arity);
    check(result_elem(op.op, elems) == op.result, "elements of a kernel's operator");
  }

  template <class T>
  static std::optional<uint32_t> find(std::span<const T> in,
                                      const std::type_identity_t<T>& wanted) {
    const auto found = std::find(in.begin(), in.end(), wanted);
    if (found == in.end()) return std::nullopt;
    return static_cast<uint32_t>(found - in.begin());
  }

  Place now(NodeId id, size_t before_node) const {
    const auto earlier = std::span(spec_.nodes).first(before_node);
    if (const auto index = find(earlier, id)) return {Place::Kind::earlier, *index};
    if (const auto index = find(std::span(spec_.constants), id)) {
      return {Place::Kind::constant, *index};
    }
    return input({KernelInput::Kind::now, id, ir_.type_of(id).elem});
  }

  Place input(const KernelInput& wanted) const {
    const auto index = find(std::span(spec_.inputs), wanted);
    check(index.has_value(), "operand of a kernel is no node, constant or input of it");
    return {Place::Kind::input, *index};
  }

  const Ir& ir_;
  const KernelSpec& spec_;
};

}  // namespace

std::vector<KernelOp> kernel_ops(const Ir& ir, const KernelSpec& spec) {
  check(!spec.nodes.empty(), "kernel without operators");
  const Resolver resolver(ir, spec);
  std::vector<KernelOp> out;
  for (size_t i = 0; i < spec.nodes.size(); ++i) out.push_back(resolver.resolve(i));
  return out;
}

}  // namespace pmjit
