// Signs and binding of operators; where parentheses are needed.
#include "compiler/ast/operators.h"

#include <array>

namespace pmjit {

std::string_view operator_text(Operator op) {
  static constexpr auto kTexts = std::to_array<std::string_view>({
#define OPERATOR(name, text) text,
#include "compiler/ast/operators.def"
#undef OPERATOR
  });
  return kTexts[static_cast<size_t>(op)];
}

Precedence binding_of(const Expr& expr) {
  if (expr.kind == ExprKind::ternary) return Precedence::ternary;
  if (expr.kind == ExprKind::unary) return Precedence::prefix;
  if (expr.kind != ExprKind::binary) return Precedence::operand;
  switch (expr.op) {
    case Operator::or_: return Precedence::or_;
    case Operator::and_: return Precedence::and_;
    case Operator::add:
    case Operator::sub: return Precedence::sum;
    case Operator::mul:
    case Operator::div: return Precedence::product;
    default: return Precedence::relation;
  }
}

const Expr* prefix_at_right_end(const Ast& ast, const Expr& e, Operator op) {
  const Expr* at = &e;
  while (!at->parenthesised) {
    if (at->kind == ExprKind::unary && at->op == op) return at;
    if (at->kind != ExprKind::unary && at->kind != ExprKind::binary) return nullptr;
    at = &ast.exprs[ast.args_of(*at).back()];
  }
  return nullptr;
}

const Expr* minus_under_division(const Ast& ast, const Expr& e) {
  if (e.parenthesised || e.kind != ExprKind::binary || e.op != Operator::div) return nullptr;
  const Expr& divisor = ast.exprs[ast.args_of(e)[1]];
  const bool minus = divisor.kind == ExprKind::unary && divisor.op == Operator::neg;
  return minus && !divisor.parenthesised ? &divisor : nullptr;
}

bool needs_parentheses(const Ast& ast, const Expr& user, const Expr& arg, size_t position) {
  const Precedence outer = binding_of(user), inner = binding_of(arg);
  switch (outer) {
    case Precedence::operand:  // name[instance] stands alone; what else is selected from is in
                               // parentheses
      return user.kind == ExprKind::instance && (arg.kind != ExprKind::name || arg.parenthesised);
    case Precedence::ternary: return inner == Precedence::ternary && position != 1;
    case Precedence::prefix: return inner < Precedence::prefix;
    case Precedence::or_:
    case Precedence::and_: return inner <= Precedence::and_ && (inner != outer || position == 1);
    case Precedence::relation:
    case Precedence::sum:
    case Precedence::product: break;
  }
  if (inner < outer || (inner == outer && (position == 1 || outer == Precedence::relation)))
    return true;
  if (position == 1) return false;
  if (prefix_at_right_end(ast, arg, Operator::not_) != nullptr) return true;
  return outer == Precedence::product && minus_under_division(ast, arg) != nullptr;
}

}  // namespace pmjit
