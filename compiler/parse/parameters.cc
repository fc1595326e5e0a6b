// Where a $name stands and nothing gives it a value.
#include <set>

#include "compiler/parse/stages.h"

namespace pmjit::parse {

void refuse_parameters(const Ast& ast, Diags& diags) {
  std::set<std::string_view> told;
  for (const Expr& e : ast.exprs) {
    if (e.kind != ExprKind::parameter || !told.insert(e.text).second) continue;
    diags.add(DiagCode::P_NoValue, e.span, e.text)
        .help("write a number; values come from `pmjit eval --sweep EXPR " + e.text + "=0..100:1`");
  }
}

}  // namespace pmjit::parse
