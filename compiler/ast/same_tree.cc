// Structural equality. Ids may differ: two builders need not number their expressions alike.
#include <algorithm>

#include "compiler/ast/ast.h"

namespace pmjit {
namespace {

bool same_specs(std::span<const Spec> a, std::span<const Spec> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Spec& x, const Spec& y) {
    return x.tag == y.tag && x.value == y.value && x.quoted == y.quoted;
  });
}

bool same(const Ast& a, ExprId a_id, const Ast& b, ExprId b_id) {
  const Expr &x = a.exprs[a_id], &y = b.exprs[b_id];
  if (x.kind != y.kind || x.op != y.op || x.negated != y.negated || x.text != y.text) return false;
  if (!same_specs(a.specs_of(x), b.specs_of(y))) return false;
  const auto x_args = a.args_of(x), y_args = b.args_of(y);
  return std::equal(x_args.begin(), x_args.end(), y_args.begin(), y_args.end(),
                    [&](ExprId i, ExprId j) { return same(a, i, b, j); });
}

}  // namespace

bool same_tree(const Ast& a, const Ast& b) {
  if (!a.root.known() || !b.root.known()) return a.root.known() == b.root.known();
  return same(a, a.root, b, b.root);
}

}  // namespace pmjit
