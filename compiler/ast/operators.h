// The classes of operators, loosest first, as the strict dialect binds them. Relations are one
// class: a chain of them is refused whatever their signs.
#pragma once

#include "compiler/ast/ast.h"

namespace pmjit {

enum class Precedence : uint8_t { ternary, or_, and_, relation, sum, product, prefix, operand };

Precedence binding_of(const Expr& expr);  // of its own operator; parentheses do not count
inline bool is_arithmetic(Precedence b) { return b == Precedence::sum || b == Precedence::product; }

// Whether `arg`, the argument of `user` at this position, must stand in parentheses to be read back
// as its argument and not be refused (dialects.md rows 2 to 5, 11).
bool needs_parentheses(const Ast& ast, const Expr& user, const Expr& arg, size_t position);

// The unparenthesised expression of this kind at the right end of e: it ends where e ends, so the
// operator that follows e touches it first. Null if there is none. `- !a` in `- !a + 1` is one for
// Operator::not_.
const Expr* prefix_at_right_end(const Ast& ast, const Expr& e, Operator op);

// `… / -b`, which takes in the * or / that follows it where the dialects of PCP read it.
const Expr* minus_under_division(const Ast& ast, const Expr& e);

}  // namespace pmjit
