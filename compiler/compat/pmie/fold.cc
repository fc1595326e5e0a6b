#include "compiler/compat/pmie/fold.h"

#include "runtime/base/check.h"

namespace pmjit::pmie {
namespace {

double folded_number(PmieOp op, double a, double b) {
  switch (op) {
    case PmieOp::negate: return -a;
    case PmieOp::add: return a + b;
    case PmieOp::subtract: return a - b;
    case PmieOp::multiply: return a * b;
    case PmieOp::divide: return a / b;
    case PmieOp::equal: return a == b;
    case PmieOp::unequal: return a != b;
    case PmieOp::less: return a < b;
    case PmieOp::less_equal: return a <= b;
    case PmieOp::greater: return a > b;
    case PmieOp::greater_equal: return a >= b;
    case PmieOp::negation: return a == 0;
    case PmieOp::both: return a != 0 && b != 0;
    case PmieOp::either: return a != 0 || b != 0;
    case PmieOp::instant: return a;
    default: check(false, "an operator that does not fold"); return 0;
  }
}

}  // namespace

PmieNode folded_node(PmieOp op, const PmieNode& left, const PmieNode* right) {
  PmieNode folded{.sem = left.sem, .units = left.units};
  if (op == PmieOp::text_equal || op == PmieOp::text_unequal)
    folded.number = (left.text == right->text) == (op == PmieOp::text_equal);
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
