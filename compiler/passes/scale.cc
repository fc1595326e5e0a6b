// Scale factors, made fewer and cheaper where that changes no bit.

#include <bit>
#include <cmath>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pmjit {

namespace {

double real_factor(const Node& node) { return std::bit_cast<double>(node.payload); }

bool is_one(const Node& node, Elem elem) {
  return elem == Elem::f64 ? real_factor(node) == 1 : node.payload == 1;
}

// x / 2^k and x × 2^-k round the same exact number, so they are the same.
bool is_power_of_two(double factor) {
  int exponent = 0;
  return std::frexp(factor, &exponent) == 0.5 && exponent > -1000 && exponent < 1000;
}

// Two whole factors in a row: x·a·b overflows exactly when x·(a·b) does, for a and b are not 0.
bool merges(const Node& outer, const Node& inner, Elem elem, uint64_t& product) {
  if (outer.op != Op::scale_up || inner.op != Op::scale_up || elem == Elem::f64) return false;
  if (__builtin_mul_overflow(outer.payload, inner.payload, &product)) return false;
  return elem == Elem::u64 || product <= static_cast<uint64_t>(INT64_MAX);
}

}  // namespace

Ir scale(Ir ir) {
  Rewrite rewrite(ir);
  return rewrite.run([&](NodeId old) {
    Node node = ir.nodes[old];
    if (node.op != Op::scale_up && node.op != Op::scale_down) return rewrite.keep(old);
    const Elem elem = ir.type_of(old).elem;
    std::vector<NodeId> args = rewrite.mapped_args(old);
    const Node inner = rewrite.made().nodes[args[0]];
    uint64_t product = 0;
    if (merges(node, inner, elem, product)) {
      node.payload = product;
      args[0] = rewrite.made().args_of(args[0])[0];
    }
    if (is_one(node, elem) && ir.type_of(old).units == rewrite.made().type_of(args[0]).units) {
      node.op = Op::instant;
      node.payload = 0;
    } else if (node.op == Op::scale_down && is_power_of_two(real_factor(node))) {
      node.op = Op::scale_up;
      node.payload = bits_of(1 / real_factor(node));
    }
    return rewrite.add(node, args);
  });
}

}  // namespace pmjit
