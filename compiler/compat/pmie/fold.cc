#include "compiler/compat/pmie/fold.h"

#include "runtime/base/check.h"

namespace pmjit::pmie {
namespace {

double folded_number(Op op, double a, double b) {
  switch (op) {
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::equal: return a == b;
    case Op::unequal: return a != b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::negation: return a == 0;
    case Op::both: return a != 0 && b != 0;
    case Op::either: return a != 0 || b != 0;
    case Op::instant: return a;
    default: check(false, "an operator that does not fold"); return 0;
  }
}

}  // namespace

Node folded_node(Op op, const Node& left, const Node* right) {
  Node folded{.sem = left.sem, .units = left.units};
  if (op == Op::text_equal || op == Op::text_unequal)
    folded.number = (left.text == right->text) == (op == Op::text_equal);
  else
    folded.number = folded_number(op, left.number, right != nullptr ? right->number : 0);
  const OpKind kind = kind_of(op);
  if (kind == OpKind::relation || kind == OpKind::logic) {
    folded.sem = Sem::truth;
    folded.units = Units{};
  }
  return folded;
}

}  // namespace pmjit::pmie
